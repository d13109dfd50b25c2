//! How each message stands to the window: one walk over the branch when something changes, and a signal for
//! each message, so that only what differs is touched, however long the chat is.

use crate::chat::Id;
use crate::ui::dom::live;
use crate::ui::session::Session;
use crate::ui::signal::ArcRwSignal;
use std::cell::RefCell;
use std::rc::Rc;

/// How a message stands to the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
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
    /// The place, as styles know it.
    pub fn place(self) -> String {
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

/// The marks of the branch that is being read, in its order.
#[derive(Clone, Default)]
pub struct Marks(Rc<RefCell<Vec<Marked>>>);

type Marked = (Id, ArcRwSignal<Mark>);

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

    /// Takes over a branch. What leads to a message never changes, so each has its place for ever.
    pub fn align(&self, path: &[Id]) {
        let mut marks = self.0.borrow_mut();
        let same = marks.iter().zip(path).take_while(|(m, id)| m.0 == **id);
        let same = same.count();
        marks.truncate(same);
        marks.extend(
            path[same..]
                .iter()
                .map(|id| (*id, ArcRwSignal::new(Mark::default()))),
        );
    }

    /// The place of a message in the branch, from nought, and its mark.
    pub fn of(&self, id: Id) -> (usize, ArcRwSignal<Mark>) {
        let marks = self.0.borrow();
        // A new message is the last one.
        let at = marks.iter().rposition(|(known, _)| *known == id);
        at.map_or_else(
            || (0, ArcRwSignal::new(Mark::default())),
            |at| (at, marks[at].1.clone()),
        )
    }

    fn walk(&self, session: Session) {
        let (pins, mutes) = session
            .open
            .with(|chat| (chat.head.pins.clone(), chat.head.mutes.clone()));
        session.window.with(|window| {
            let mut sent = window.entries.iter().peekable();
            let mut leaving = window.next_out.iter().peekable();
            for (id, signal) in self.0.borrow().iter() {
                let mark = Mark {
                    sent: sent.next_if(|entry| entry.id == *id).is_some(),
                    leaving: leaving.next_if(|next| *next == id).is_some(),
                    pinned: pins.contains(id),
                    muted: mutes.contains(id),
                };
                if signal.with_untracked(|known| *known != mark) {
                    signal.set(mark);
                }
            }
        });
    }
}
