//! The library: which of its tabs is shown, and what the page takes in of what was done there.

use super::{Session, Toast};
use crate::browser::page;
use leptos::prelude::*;

/// From so much used room on, in parts of a hundred, chats that nobody touched for a month are packed.
const TIDY_FROM: usize = 50;

/// A tab of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl Session {
    /// Listens for the key that opens the library.
    pub(super) fn listen_to_library(self) {
        page::on_search_key(move || self.open_library("search"));
    }

    /// Opens the library at the tab of that name.
    pub fn open_library(self, name: &'static str) {
        let named = LibraryTab::ALL.into_iter().find(|tab| tab.name() == name);
        self.library_tab.set(named);
    }

    /// Brings the page up to the log, after chats or messages were restored, purged or imported.
    pub fn refresh_from_log(self) {
        self.refresh_lists();
        let open = self.open.with_untracked(|open| open.head.id);
        match self.answering.with_untracked(|all| all.contains_key(&open)) {
            // At its end: until then the branch that is being read stays, with the answer that runs in it.
            true => self.stale.set_value(true),
            false => self.reload_open(),
        }
        self.note_room();
    }

    /// Writes what waited for room, and looks how much of it is left.
    pub(super) fn note_room(self) {
        self.write(|log| {
            log.write_waiting();
            Ok(())
        });
        self.look_at_storage();
    }

    /// Has old chats packed when room gets short, once.
    pub(super) fn tidy(self, percent: usize) {
        if percent >= TIDY_FROM && !self.tidied.get_value() {
            self.tidied.set_value(true);
            leptos::task::spawn_local(async move {
                if let Some(text) = self.pack_old_chats().await {
                    self.toast.set(Some(Toast { text, undo: None }));
                }
            });
        }
    }

    /// Notes that another chat is about to be shown: a draft that is still being looked for comes too late.
    pub(super) fn overtake(self) {
        self.showing.update_value(|n| *n = n.wrapping_add(1));
    }
}
