//! How each message stands to the window: one walk over the branch when something changes, and a signal for
//! each message, so that only what differs is touched, however long the chat is.

use crate::ui::dom::live;
use crate::ui::session::Session;
use leptos::prelude::*;
use sash_chat::Id;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

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
    pub fn standing(self) -> String {
        match self {
            Mark { sent: false, .. } => "out",
            Mark { leaving: true, .. } => "next",
            _ => "in",
        }
        .to_owned()
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
#[derive(Clone, Default)]
pub struct Marks(Rc<RefCell<HashMap<Id, ArcRwSignal<Mark>>>>);

impl Marks {
    /// Marks that follow the window.
    pub fn new(session: Session) -> Self {
        let marks = Self::default();
        let kept = marks.clone();
        live(move || {
            session.path.with(|path| kept.align(path));
            kept.walk(session);
        });
        marks
    }

    /// Takes over a branch. A message that was on the branch before keeps its signal, wherever it stands now: its
    /// row is still on the page and follows that signal.
    pub fn align(&self, path: &[Id]) {
        let mut former = self.0.take();
        let kept = |id: &Id| {
            let signal = former.remove(id);
            (
                *id,
                signal.unwrap_or_else(|| ArcRwSignal::new(Mark::default())),
            )
        };
        let aligned = path.iter().map(kept).collect();
        self.0.replace(aligned);
    }

    /// The mark of a message.
    pub fn of(&self, id: Id) -> ArcRwSignal<Mark> {
        let mark = self.0.borrow().get(&id).cloned();
        mark.unwrap_or_else(|| ArcRwSignal::new(Mark::default()))
    }

    fn walk(&self, session: Session) {
        let (pins, mutes) = session
            .open
            .with(|chat| (chat.head.pins.clone(), chat.head.mutes.clone()));
        let signals = self.0.borrow();
        session.window.with(|window| {
            let mut sent = window.entries.iter().peekable();
            let mut leaving = window.next_out.iter().peekable();
            session.path.with(|path| {
                for (place, id) in path.iter().enumerate() {
                    let mark = Mark {
                        place,
                        sent: sent.next_if(|entry| entry.id == *id).is_some(),
                        leaving: leaving.next_if(|next| *next == id).is_some(),
                        pinned: pins.contains(id),
                        muted: mutes.contains(id),
                    };
                    let signal = signals.get(id);
                    if let Some(signal) =
                        signal.filter(|s| s.with_untracked(|known| *known != mark))
                    {
                        signal.set(mark);
                    }
                }
            });
        });
    }
}
