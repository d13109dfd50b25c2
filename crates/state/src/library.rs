//! The library: packing of idle chats, the trash, and updating the page after
//! restoring, purging or importing.

mod trash;

pub use trash::{Deleted, TrashUnread};

use crate::embeddings::Embeddings;
use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_log::pack::PackingGain;
use sash_stores::{Edges, Kernel, LogEvent, uses};

/// From this share of used storage on, in percent, chats untouched for a month are packed
/// automatically.
const PACK_FROM_PERCENT: usize = 50;
const MINUTE_MS: u64 = 60 * 1000;
const DAY_MS: u64 = 24 * 60 * MINUTE_MS;
/// How long a chat is left unpacked after its last change, in milliseconds: a recent chat is likely
/// to be opened again, and its records may not be on disk yet.
pub const SETTLED_MS: u64 = 60 * MINUTE_MS;
/// How long a chat must be untouched to be packed automatically, in milliseconds.
const UNASKED_MS: u64 = 30 * DAY_MS;
/// How long a chat must be untouched to be packed on request, in milliseconds.
pub const IDLE_MS: u64 = 7 * DAY_MS;

/// Actions on all chats at once.
#[derive(Clone, Copy)]
pub struct Library {
    edges: Edges,
    kernel: Kernel,
    embeddings: StoredValue<Embeddings>,
    /// Whether automatic packing ran since the page started.
    packed: StoredValue<bool>,
}

uses!(Library.kernel: storage chats answers attachments; embeddings: Embeddings);

impl Library {
    /// Creates the store.
    #[must_use]
    pub fn new(kernel: Kernel, embeddings: Embeddings) -> Self {
        let library = Self {
            kernel,
            edges: kernel.edges(),
            embeddings: StoredValue::new(embeddings),
            packed: StoredValue::new(false),
        };
        kernel.storage().events().on(move |event| {
            if *event == LogEvent::ManyWritten {
                library.refresh_from_log();
            }
        });
        library
    }

    /// Reloads the page's state from the log after chats or messages were restored, purged or
    /// imported.
    pub fn refresh_from_log(self) {
        self.chats().refresh_list();
        match self.answers().runs_in(self.chats().open_id_untracked()) {
            // Reload when the answer ends: until then the shown branch stays, with the answer that
            // runs in it.
            true => self.chats().mark_stale(),
            false => self.chats().reload_open(),
        }
        self.storage().write_waiting();
    }

    /// Packs chats untouched for a month once `percent` of the storage is used; runs once. Returns
    /// the bytes gained.
    pub async fn pack_when_full(self, percent: usize) -> PackingGain {
        if percent < PACK_FROM_PERCENT || self.packed.get_value() {
            return PackingGain::default();
        }
        self.packed.set_value(true);
        // Measuring the storage took its time.
        self.edges.pause().await;
        let chats = self.idle_chats(UNASKED_MS);
        self.pack_chats(&chats).await
    }

    /// The chats untouched for `since` milliseconds, except the open one.
    #[must_use]
    pub fn idle_chats(self, since: u64) -> Vec<Id> {
        let before = self.edges.now().saturating_sub(since);
        let open = self.chats().open_id_untracked();
        self.chats().list.with_untracked(|all| {
            let idle = all.iter();
            let idle = idle.filter(|chat| chat.touched < before && chat.id != open);
            idle.map(|chat| chat.id).collect()
        })
    }

    /// What packing these chats would gain.
    pub async fn packing_gain(self, chats: &[Id]) -> PackingGain {
        let mut all = PackingGain::default();
        for chat in chats {
            let gain = self.storage().with_log(|log| log.estimate_gain(*chat));
            add(&mut all, gain.and_then(Result::ok));
            self.edges.pause().await;
        }
        all
    }

    /// Packs chats. A chat that cannot be packed now is left as it is.
    pub async fn pack_chats(self, chats: &[Id]) -> PackingGain {
        let mut all = PackingGain::default();
        for chat in chats {
            // The person may have opened the chat meanwhile.
            if self.chats().open_id_untracked() == *chat {
                continue;
            }
            let gain = self.storage().with_log(|log| log.pack(*chat));
            add(&mut all, gain.and_then(Result::ok));
            self.edges.pause().await;
        }
        if all.messages > 0 {
            self.storage().write_waiting();
        }
        all
    }
}

fn add(all: &mut PackingGain, one: Option<PackingGain>) {
    let one = one.unwrap_or_default();
    all.messages += one.messages;
    all.before += one.before;
    all.after += one.after;
}
