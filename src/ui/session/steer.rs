//! Steering the window of the open chat: its policy, pins, mutes, clearings and system prompt; and the way
//! back from each, and from deletions.

use super::{Session, Toast, Undo, WhatIf};
use leptos::prelude::*;
use sash_chat::{Head, Id, Policy};

/// So many deletions and steps can be taken back.
const STEPS: usize = 50;

/// What Ctrl+Z takes back, the last one first.
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
    fn concerns(&self, open: Id) -> bool {
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
    chat: Id,
    policy: Policy,
    pins: Vec<Id>,
    mutes: Vec<Id>,
    cleared: Vec<Id>,
    system: Option<u32>,
}

impl Step {
    fn of(head: &Head) -> Self {
        Self {
            chat: head.id,
            policy: head.policy,
            pins: head.pins.clone(),
            mutes: head.mutes.clone(),
            cleared: head.cleared.clone(),
            system: head.system,
        }
    }

    fn back(self, head: &mut Head) {
        head.policy = self.policy;
        head.pins = self.pins;
        head.mutes = self.mutes;
        head.cleared = self.cleared;
        head.system = self.system;
    }
}

impl Session {
    /// Sets the rule for the open chat's window.
    pub fn set_policy(self, policy: Policy) {
        self.steer(|head| head.policy = policy);
    }

    /// Sets the rule further within the same step: a key is held.
    pub fn slide_policy(self, policy: Policy) {
        let chat = self.open.with_untracked(|chat| chat.head.id);
        self.change_head(chat, |head| head.policy = policy);
    }

    /// Shows a rule while an edge is being dragged. It is not written: [`Self::set_policy`] does that, and
    /// makes one step of the whole way.
    pub fn show_policy(self, policy: Policy) {
        self.open.update(|chat| chat.head.policy = policy);
    }

    /// Pins a message or takes the pin off.
    pub fn pin(self, id: Id, on: bool) {
        self.steer(|head| head.pin(id, on));
    }

    /// Mutes a message or lets it speak.
    pub fn mute(self, id: Id, on: bool) {
        self.steer(|head| head.mute(id, on));
    }

    /// Sets the open chat's system prompt.
    pub fn set_system(self, text: &str) {
        self.steer(|head| head.set_system(text));
    }

    /// Begins the window afresh behind the last message; the log is not touched.
    pub fn clear_window(self) {
        let Some(last) = self.path.with_untracked(|path| path.last().copied()) else {
            return;
        };
        if self
            .open
            .with_untracked(|c| c.steered(&c.head).cleared.contains(&last))
        {
            return;
        }
        self.steer(|head| head.cleared.push(last));
        self.toast.set(Some(Toast {
            text: "Started afresh".to_owned(),
            undo: Some(Undo::Step),
        }));
    }

    /// Takes a clearing back.
    pub fn unclear(self, id: Id) {
        // All that take effect there: a message between two of them may be deleted.
        let starts = self.open.with_untracked(|chat| {
            let mut starts = chat.head.cleared.clone();
            starts.retain(|known| chat.fresh_start(*known) == Some(id));
            starts
        });
        self.steer(|head| head.cleared.retain(|known| !starts.contains(known)));
    }

    /// Brings a message back for the next prompt alone, or leaves it out again.
    pub fn recall(self, id: Id, on: bool) {
        self.recalled.update(|recalled| {
            recalled.retain(|known| *known != id);
            if on {
                recalled.push(id);
            }
        });
        self.overflow.set(None);
    }

    /// Takes the last step back, if it was one of the open chat. Whether there was one.
    pub fn undo_step(self) -> bool {
        let chat = self.open.with_untracked(|chat| chat.head.id);
        let steered = |done: &Done| matches!(done, Done::Steered(step) if step.chat == chat);
        let last = self.take_last(steered);
        last.is_some_and(|done| self.take_back(done))
    }

    /// Takes the newest of what was done out of the list, of those that are asked for.
    fn take_last(self, of: impl Fn(&Done) -> bool) -> Option<Done> {
        let last = self.done.try_update_value(|all| {
            let at = all.iter().rposition(of)?;
            Some(all.remove(at))
        });
        last.flatten()
    }

    /// Takes back what was done. Whether there was still something to take back: a chat may have been restored,
    /// or removed for good, elsewhere.
    fn take_back(self, done: Done) -> bool {
        match done {
            Done::Steered(step) => {
                self.change_head(step.chat, |head| step.back(head));
                self.overflow.set(None);
                self.forget_step();
            }
            Done::Deleted(chat) if self.is_in_trash(chat) => self.restore_chat(chat),
            Done::Removed(chat, id) if self.is_removed(chat, id) => self.restore_message(chat, id),
            Done::Deleted(_) | Done::Removed(..) => return false,
        }
        self.announce("Undone".to_owned());
        true
    }

    /// Whether a chat is deleted and can be brought back.
    fn is_in_trash(self, chat: Id) -> bool {
        let deleted = self.with_log(|log| log.deleted());
        deleted.is_some_and(|chats| chats.iter().any(|summary| summary.id == chat))
    }

    /// Whether a message is deleted and can be brought back.
    fn is_removed(self, chat: Id, id: Id) -> bool {
        let removed = self.with_log(|log| log.removed_messages());
        removed.is_some_and(|all| all.iter().any(|r| r.chat == chat && r.message.id == id))
    }

    /// Whether what the line at the foot offers to undo is still done.
    pub fn is_done(self, undo: Undo) -> bool {
        match undo {
            Undo::Deleted(chat) => {
                self.chats.track();
                self.is_in_trash(chat)
            }
            Undo::Removed(chat, id) => {
                self.open.track();
                self.is_removed(chat, id)
            }
            // Any other step takes the line away by itself.
            Undo::Step => true,
        }
    }

    /// Whether a chat has steps that could be taken back.
    pub(super) fn is_steered(self, chat: Id) -> bool {
        let of = |done: &Done| matches!(done, Done::Steered(step) if step.chat == chat);
        self.done.with_value(|all| all.iter().any(of))
    }

    /// Ctrl+Z: takes back what was done last, whether or not a line at the foot still offers it. Whether there was
    /// something to undo.
    pub fn undo(self) -> bool {
        if self.what_if.get_untracked() != WhatIf::Closed {
            return false;
        }
        loop {
            let open = self.open.with_untracked(|chat| chat.head.id);
            match self.take_last(|done| done.concerns(open)) {
                Some(done) if self.take_back(done.clone()) => {
                    if let Done::Removed(_, id) = done {
                        // The row that had focus went with the deletion.
                        self.reveal(id);
                    }
                    return true;
                }
                Some(_) => {}
                None => return false,
            }
        }
    }

    /// Undoes what the line at the foot offers.
    pub fn undo_offer(self, undo: Undo) {
        let done = match undo {
            Undo::Deleted(chat) => Done::Deleted(chat),
            Undo::Removed(chat, id) => Done::Removed(chat, id),
            Undo::Step => {
                self.undo_step();
                return;
            }
        };
        self.take_last(|known| *known == done);
        match undo {
            Undo::Removed(chat, id) => self.restore_message(chat, id),
            Undo::Deleted(chat) => self.restore_chat(chat),
            Undo::Step => {}
        }
    }

    /// Keeps in mind that something can be taken back.
    pub(super) fn remember(self, done: Done) {
        self.done.update_value(|all| {
            if all.len() == STEPS {
                all.remove(0);
            }
            all.push(done);
        });
    }

    /// Takes away the line at the foot if it tells of a step: it would undo another one now, or stand before
    /// what is to be said.
    pub(super) fn forget_step(self) {
        let step =
            |toast: &Option<Toast>| toast.as_ref().is_some_and(|t| t.undo == Some(Undo::Step));
        if self.toast.with_untracked(step) {
            self.toast.set(None);
        }
    }

    /// Changes how the open chat is steered, with a way back.
    fn steer(self, change: impl FnOnce(&mut Head)) {
        let chat = self.open.with_untracked(|chat| chat.head.id);
        let mut before = None;
        self.change_head(chat, |head| {
            let step = Step::of(head);
            change(head);
            before = Some(step.clone()).filter(|_| step != Step::of(head));
        });
        if let Some(step) = before {
            self.remember(Done::Steered(step));
            self.overflow.set(None);
            self.forget_step();
        }
    }
}
