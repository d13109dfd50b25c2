//! Actions on all chats at once: packing of idle ones, and the trash.

mod trash;

pub use trash::{Deleted, TrashUnread};

use reactive_graph::owner::{StoredValue, expect_context};
use reactive_graph::prelude::*;
use sash_chat::{Id, Message};
use sash_log::pack::PackingGain;
use sash_stores::{Kernel, PageLog, uses};

/// From this share of used storage on, in percent, chats untouched for a month are packed
/// automatically.
const PACK_FROM_PERCENT: usize = 50;
/// How long a chat must be untouched to be packed automatically, in milliseconds.
const UNASKED_MS: u64 = 30 * 24 * 60 * 60 * 1000;

/// Actions on all chats at once.
#[derive(Clone, Copy)]
pub struct Library {
    kernel: Kernel,
    /// Gives the first words of a message, as they are shown.
    first_words: fn(&Message) -> String,
    /// Whether automatic packing ran since the page started.
    packed: StoredValue<bool>,
}

uses!(Library.kernel: storage chats attachments);

impl Library {
    /// Creates the store, which names deleted messages by their `first_words`.
    #[must_use]
    pub fn new(kernel: Kernel, first_words: fn(&Message) -> String) -> Self {
        Self {
            kernel,
            first_words,
            packed: StoredValue::new(false),
        }
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// Packs chats untouched for a month once `percent` of the storage is used; runs once. Returns
    /// the bytes gained.
    pub async fn pack_when_full(self, percent: usize) -> PackingGain {
        if percent < PACK_FROM_PERCENT || self.packed.get_value() {
            return PackingGain::default();
        }
        self.packed.set_value(true);
        // Measuring the storage took its time.
        self.kernel.edges().pause().await;
        let chats = self.idle_chats(UNASKED_MS);
        self.pack_chats(&chats).await
    }

    /// The chats untouched for `since` milliseconds, except the open one.
    #[must_use]
    pub fn idle_chats(self, since: u64) -> Vec<Id> {
        let before = self.kernel.edges().now().saturating_sub(since);
        let open = self.chats().open_id_untracked();
        self.chats().list.with_untracked(|all| {
            let idle = all.iter();
            let idle = idle.filter(|chat| chat.touched < before && chat.id != open);
            idle.map(|chat| chat.id).collect()
        })
    }

    /// What packing these chats would gain.
    pub async fn packing_gain(self, chats: &[Id]) -> PackingGain {
        self.sum(chats, |log, chat| log.estimate_gain(chat).ok())
            .await
    }

    /// Packs chats. A chat that cannot be packed now is left as it is.
    pub async fn pack_chats(self, chats: &[Id]) -> PackingGain {
        let pack = |log: &mut PageLog, chat| {
            // The person may have opened the chat meanwhile.
            let is_open = self.chats().open_id_untracked() == chat;
            (!is_open).then(|| log.pack(chat).ok()).flatten()
        };
        let all = self.sum(chats, pack).await;
        if all.messages > 0 {
            self.storage().write_waiting();
        }
        all
    }

    /// The sum over chats, one after the other.
    async fn sum(
        self,
        chats: &[Id],
        gain: impl Fn(&mut PageLog, Id) -> Option<PackingGain>,
    ) -> PackingGain {
        let mut all = PackingGain::default();
        for chat in chats {
            let one = self.storage().with_log(|log| gain(log, *chat));
            let one = one.flatten().unwrap_or_default();
            all.messages += one.messages;
            all.before += one.before;
            all.after += one.after;
            self.kernel.edges().pause().await;
        }
        all
    }
}
