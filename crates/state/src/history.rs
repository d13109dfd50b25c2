//! What Ctrl+Z takes back, the last one first.

use reactive_graph::owner::StoredValue;
use reactive_graph::traits::{UpdateValue, WithValue};
use sash_chat::{Head, Id, Policy};

/// How many deletions and steps can be taken back.
const MAX_STEPS: usize = 50;

/// What the line at the foot can undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Undo {
    /// The deletion of a chat.
    Deleted(Id),
    /// The deletion of a message of a chat.
    Removed(Id, Id),
    /// The last step of steering the window.
    Step,
}

/// Something that can be taken back.
#[derive(Clone, Debug, PartialEq)]
pub enum Done {
    /// A chat's window was steered.
    Steered(Step),
    /// A chat was deleted.
    Deleted(Id),
    /// A message of a chat was deleted.
    Removed(Id, Id),
}

impl Done {
    /// Whether it is taken back while that chat is open.
    #[must_use]
    pub fn concerns(&self, open: Id) -> bool {
        match self {
            Self::Steered(step) => step.chat == open,
            Self::Removed(chat, _) => *chat == open,
            Self::Deleted(_) => true,
        }
    }
}

/// How a chat's window was steered before a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Whose window.
    pub chat: Id,
    policy: Policy,
    pins: Vec<Id>,
    mutes: Vec<Id>,
    cleared: Vec<Id>,
    system: Option<u32>,
}

impl Step {
    /// How a chat is steered now.
    #[must_use]
    pub fn of(head: &Head) -> Self {
        Self {
            chat: head.id,
            policy: head.policy,
            pins: head.pins.clone(),
            mutes: head.mutes.clone(),
            cleared: head.cleared.clone(),
            system: head.system,
        }
    }

    /// Steers a chat as it was.
    pub fn restore(self, head: &mut Head) {
        head.policy = self.policy;
        head.pins = self.pins;
        head.mutes = self.mutes;
        head.cleared = self.cleared;
        head.system = self.system;
    }
}

/// What was done, oldest first.
#[derive(Clone, Copy)]
pub struct History(StoredValue<Vec<Done>>);

impl Default for History {
    fn default() -> Self {
        Self(StoredValue::new(Vec::new()))
    }
}

impl History {
    /// Keeps in mind that something can be taken back.
    pub fn push(self, done: Done) {
        self.0.update_value(|all| {
            if all.len() == MAX_STEPS {
                all.remove(0);
            }
            all.push(done);
        });
    }

    /// Takes the newest out of the list, of those that are asked for.
    pub fn take_last(self, of: impl Fn(&Done) -> bool) -> Option<Done> {
        let last = self.0.try_update_value(|all| {
            let at = all.iter().rposition(of)?;
            Some(all.remove(at))
        });
        last.flatten()
    }

    /// Whether a chat has steps that could be taken back.
    #[must_use]
    pub fn is_steered(self, chat: Id) -> bool {
        let of = |done: &Done| matches!(done, Done::Steered(step) if step.chat == chat);
        self.0.with_value(|all| all.iter().any(of))
    }
}
