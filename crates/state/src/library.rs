//! The library: which of its tabs is shown, packing of idle chats, and what the page takes in of what was done there.

use crate::answers::Answers;
use crate::chats::Chats;
use crate::edges::Edges;
use crate::storage::Storage;
use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::Id;
use sash_log::pack::PackingGain;

/// From so much used room on, in parts of a hundred, chats that nobody touched for a month are packed.
const PACK_FROM_PERCENT: usize = 50;
const MINUTE_MS: u64 = 60 * 1000;
const DAY_MS: u64 = 24 * 60 * MINUTE_MS;
/// What was written of late is likely to be opened again, and may not be on the disk yet: so long a chat is left alone,
/// in milliseconds.
pub const SETTLED_MS: u64 = 60 * MINUTE_MS;
/// What a chat must not have been touched for, to be packed unasked, in milliseconds.
const UNASKED_MS: u64 = 30 * DAY_MS;
/// And when the person asks.
pub const IDLE_MS: u64 = 7 * DAY_MS;

/// A tab of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LibraryTab {
    /// Find a message.
    Search,
    /// What was deleted.
    Trash,
    /// The room in the browser.
    Storage,
    /// Chats out and in, as files.
    Transfer,
}

impl LibraryTab {
    /// All, as they stand beside one another.
    pub const ALL: [Self; 4] = [Self::Search, Self::Trash, Self::Storage, Self::Transfer];

    /// The name of it in ids.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Trash => "trash",
            Self::Storage => "storage",
            Self::Transfer => "transfer",
        }
    }
}

/// All that concerns all chats at once.
#[derive(Clone, Copy)]
pub struct Library {
    edges: Edges,
    storage: &'static Storage,
    chats: &'static Chats,
    answers: &'static Answers,
    /// The tab that is shown; none: it is closed.
    pub tab: RwSignal<Option<LibraryTab>>,
    /// Old chats were packed, or looked for, since the page started.
    packed: StoredValue<bool>,
}

impl Library {
    /// It is closed.
    #[must_use]
    pub fn new(
        edges: Edges,
        storage: &'static Storage,
        chats: &'static Chats,
        answers: &'static Answers,
    ) -> Self {
        Self {
            edges,
            storage,
            chats,
            answers,
            tab: RwSignal::new(None),
            packed: StoredValue::new(false),
        }
    }

    /// Opens it at the tab of that name.
    pub fn open(self, name: &str) {
        let named = LibraryTab::ALL.into_iter().find(|tab| tab.name() == name);
        self.tab.set(named);
    }

    /// Brings the page up to the log, after chats or messages were restored, purged or imported.
    pub fn refresh_from_log(self) {
        self.chats.refresh_list();
        match self.answers.runs_in(self.chats.open_id_untracked()) {
            // At its end: until then the branch that is being read stays, with the answer that runs in it.
            true => self.chats.mark_stale(),
            false => self.chats.reload_open(),
        }
        self.storage.write_waiting();
    }

    /// Has chats packed that nobody touched for a month when `percent` of the room is used, once. What it gained.
    pub async fn pack_when_full(self, percent: usize) -> PackingGain {
        if percent < PACK_FROM_PERCENT || self.packed.get_value() {
            return PackingGain::default();
        }
        self.packed.set_value(true);
        let chats = self.idle_chats(UNASKED_MS);
        self.pack_chats(&chats).await
    }

    /// The chats that were not touched for so many milliseconds, and are not open here.
    #[must_use]
    pub fn idle_chats(self, since: u64) -> Vec<Id> {
        let before = self.edges.now().saturating_sub(since);
        let open = self.chats.open_id_untracked();
        let all = self.storage.with_log(|log| log.summaries());
        let idle = all.unwrap_or_default().into_iter();
        let idle = idle.filter(|chat| chat.touched < before && chat.id != open);
        idle.map(|chat| chat.id).collect()
    }

    /// What packing these chats would gain.
    pub async fn packing_gain(self, chats: &[Id]) -> PackingGain {
        let mut all = PackingGain::default();
        for chat in chats {
            let gain = self.storage.with_log(|log| log.estimate_gain(*chat));
            add(&mut all, gain.and_then(Result::ok));
            self.edges.pause().await;
        }
        all
    }

    /// Packs chats. Those that cannot be packed now stay as they are.
    pub async fn pack_chats(self, chats: &[Id]) -> PackingGain {
        let mut all = PackingGain::default();
        for chat in chats {
            // It may have been opened since.
            if self.chats.open_id_untracked() == *chat {
                continue;
            }
            let gain = self.storage.with_log(|log| log.pack(*chat));
            add(&mut all, gain.and_then(Result::ok));
            self.edges.pause().await;
        }
        if all.messages > 0 {
            self.storage.write_waiting();
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
