//! How each message stands to the window: one walk over the branch when something changes, and a memo for each
//! message on the page, so that only what differs is touched, however long the chat is.

use crate::ui::stores::Stores;
use leptos::prelude::*;
use sash_chat::window::Window;
use sash_chat::{Head, Id};
use std::collections::HashMap;

/// How a message stands to the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Its place on the branch, from nought.
    pub place: usize,
    /// It goes with the next prompt.
    pub sent: bool,
    /// It slides out with the next question and its answer.
    pub leaving: bool,
    /// The person pinned it.
    pub pinned: bool,
    /// The person muted it.
    pub muted: bool,
}

impl Mark {
    /// How it stands to the window, as styles know it.
    pub fn standing(self) -> &'static str {
        match self {
            Mark { sent: false, .. } => "out",
            Mark { leaving: true, .. } => "next",
            _ => "in",
        }
    }

    /// What the person set, as styles and readers know it.
    pub fn set(self) -> Option<&'static str> {
        if self.pinned {
            Some("pinned")
        } else {
            self.muted.then_some("muted")
        }
    }
}

/// The marks of the branch that is being read.
#[derive(Clone, Copy)]
pub struct Marks(Memo<HashMap<Id, Mark>>);

impl Marks {
    /// Marks that follow the window.
    pub fn new(stores: Stores) -> Self {
        Self(Memo::new(move |_| {
            stores.chats.open.with(|chat| {
                stores.chats.path.with(|path| {
                    stores
                        .steering
                        .window
                        .with(|window| marks(path, window, &chat.head))
                })
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
pub(super) fn marks(path: &[Id], window: &Window, head: &Head) -> HashMap<Id, Mark> {
    let mut sent = window.entries.iter().peekable();
    let mut leaving = window.next_out.iter().peekable();
    let mark = |(place, id): (usize, &Id)| {
        let mark = Mark {
            place,
            sent: sent.next_if(|entry| entry.id == *id).is_some(),
            leaving: leaving.next_if(|next| *next == id).is_some(),
            pinned: head.pins.contains(id),
            muted: head.mutes.contains(id),
        };
        (*id, mark)
    };
    path.iter().enumerate().map(mark).collect()
}
