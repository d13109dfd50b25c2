//! Steering the window of the open chat: its policy, pins, mutes, clearings and system prompt; and the way
//! back from each.

use super::{Session, Toast, Undo, WhatIf};
use crate::chat::{Head, Id, Policy};
use leptos::prelude::*;

/// How many steps can be taken back.
const STEPS: usize = 50;

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
        let step = self.steps.try_update_value(|steps| {
            let at = steps.iter().rposition(|step| step.chat == chat)?;
            Some(steps.remove(at))
        });
        let Some(step) = step.flatten() else {
            return false;
        };
        self.change_head(chat, |head| step.back(head));
        self.overflow.set(None);
        self.forget_step();
        self.announce("Undone".to_owned());
        true
    }

    /// Whether a chat has steps that could be taken back.
    pub(super) fn is_steered(self, chat: Id) -> bool {
        let of = |steps: &Vec<Step>| steps.iter().any(|step| step.chat == chat);
        self.steps.with_value(of)
    }

    /// Ctrl+Z: what the line at the foot offers to undo, else the last step. Whether there was something to undo.
    pub fn undo(self) -> bool {
        if self.what_if.get_untracked() != WhatIf::Closed {
            return false;
        }
        let offered = self.toast.with_untracked(|toast| toast.as_ref()?.undo);
        self.undo_offer(offered.unwrap_or(Undo::Step))
    }

    /// Undoes what the line at the foot offers. Whether there was something to undo.
    pub fn undo_offer(self, undo: Undo) -> bool {
        match undo {
            Undo::Deleted(chat) => self.restore_chat(chat),
            Undo::Removed(chat, id) => self.restore_message(chat, id),
            Undo::Step => return self.undo_step(),
        }
        true
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
            self.steps.update_value(|steps| {
                if steps.len() == STEPS {
                    steps.remove(0);
                }
                steps.push(step);
            });
            self.overflow.set(None);
            self.forget_step();
        }
    }
}
