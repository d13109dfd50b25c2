//! The mark of each message relative to the window: one pass over the branch when something changes, and a
//! memo for each message on the page, so that only changed rows are updated, however long the chat is.

use leptos::prelude::*;
use sash_chat::window::Window;
use sash_chat::{ChatSettingsStoreFields, Id};
use sash_stores::Kernel;
use std::collections::HashMap;

/// The mark of a message relative to the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Its index on the branch, from zero.
    pub place: usize,
    /// Whether it goes with the next prompt.
    pub sent: bool,
    /// Whether it leaves the window with the next question and its answer.
    pub leaving: bool,
    /// Whether it is pinned.
    pub pinned: bool,
    /// Whether it is muted.
    pub muted: bool,
}

impl Mark {
    /// Its relation to the window, as a name for styles.
    pub fn standing(self) -> &'static str {
        match self {
            Mark { sent: false, .. } => "out",
            Mark { leaving: true, .. } => "next",
            _ => "in",
        }
    }

    /// Pinned or muted, as a name for styles and screen readers.
    pub fn set(self) -> Option<&'static str> {
        if self.pinned {
            Some("pinned")
        } else {
            self.muted.then_some("muted")
        }
    }
}

/// The marks of the shown branch.
#[derive(Clone, Copy)]
pub struct Marks(Memo<HashMap<Id, Mark>>);

impl Marks {
    /// Marks that follow the window.
    pub fn new(kernel: Kernel) -> Self {
        let own = kernel.chats().open_settings();
        Self(Memo::new(move |_| {
            let (pins, mutes) = (own.pins().get(), own.mutes().get());
            kernel.chats().path.with(|path| {
                let window = kernel.steering().chosen;
                window.with(|window| marks(path, window, &pins, &mutes))
            })
        }))
    }

    /// The mark of a message.
    pub fn of(self, id: Id) -> Memo<Mark> {
        Memo::new(move |_| {
            self.0
                .with(|marks| marks.get(&id).copied().unwrap_or_default())
        })
    }
}

/// The marks of a branch. What goes with the next prompt, and what slides out of that, is in the branch's order.
pub(super) fn marks(path: &[Id], window: &Window, pins: &[Id], mutes: &[Id]) -> HashMap<Id, Mark> {
    let mut sent = window.entries.iter().peekable();
    let mut leaving = window.next_out.iter().peekable();
    let mark = |(place, id): (usize, &Id)| {
        let mark = Mark {
            place,
            sent: sent.next_if(|entry| entry.id == *id).is_some(),
            leaving: leaving.next_if(|next| *next == id).is_some(),
            pinned: pins.contains(id),
            muted: mutes.contains(id),
        };
        (*id, mark)
    };
    path.iter().enumerate().map(mark).collect()
}
