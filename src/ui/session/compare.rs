//! What if: the same question asked again with another window. The new answer is one more version; the
//! branch that is being read stays where it is until the person chooses.

use super::{Asked, Session};
use crate::browser::page;
use leptos::prelude::*;
use sash_chat::window::select;
use sash_chat::{Head, Id, Policy, Position, Receipt};

/// Where the dialog stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhatIf {
    /// It is closed.
    Closed,
    /// Another window is being chosen for the question of this answer.
    Choosing(Id),
    /// Two answers side by side, the one of the branch first.
    Comparing(Id, Id),
}

/// Another window for a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Other {
    /// Another rule; pins, mutes and clearings stay.
    Rule(Policy),
    /// What was read, without this message.
    Without(Id),
}

impl Session {
    /// The question of an answer, unless it was deleted, and the receipt if there is one.
    pub fn asked(self, answer: Id) -> Option<(Id, Option<Receipt>)> {
        let message = self.message(answer)?;
        let question = self.message(message.parent?)?;
        Some((question.id, message.receipt))
    }

    /// The ids that another window would send before the question of an answer.
    pub fn would_read(self, answer: Id, other: Other) -> Vec<Id> {
        let Some((question, receipt)) = self.asked(answer) else {
            return Vec::new();
        };
        self.open.with_untracked(|chat| {
            let asked = chat.get(question);
            let reader = self.reader_before(asked.map_or("", |m| &*m.content));
            let before = chat.path_to(asked.and_then(|m| m.parent));
            let head = other_head(&chat.head, receipt.as_ref(), question, other);
            select(&before, &chat.steered(&head), &[], reader).ids()
        })
    }

    /// Asks the question of an answer again with another window, and opens the comparison. Whether it went.
    pub fn try_other(self, answer: Id, other: Other) -> bool {
        let Some((question, receipt)) = self.asked(answer).filter(|_| untrack(|| self.may_ask()))
        else {
            return false;
        };
        let (chat, leaf, head) = self.open.with_untracked(|chat| {
            let head = other_head(&chat.head, receipt.as_ref(), question, other);
            (chat.head.id, chat.leaf(), head)
        });
        let asked = self.answer_as(question, head, Vec::new(), Asked::Trial(other));
        let Some(second) = asked else {
            return false;
        };
        let seq = self.message(second).map(|message| message.seq);
        if let (Some(leaf), Some(seq)) = (leaf, seq) {
            self.change_head(chat, |head| head.at = Some(Position { leaf, seq }));
        }
        self.what_if.set(WhatIf::Comparing(answer, second));
        page::focus_soon("what-if-title".to_owned());
        true
    }
}

/// How the chat would be steered for another window: with the system prompt the first answer had.
fn other_head(head: &Head, receipt: Option<&Receipt>, question: Id, other: Other) -> Head {
    let mut head = head.clone();
    if let Some(receipt) = receipt {
        head.system = receipt.system;
    }
    match other {
        Other::Rule(policy) => head.policy = policy,
        // All that was read, message for message: under the rule another one would slide in.
        Other::Without(id) => {
            head.policy = Policy::Messages(0);
            head.pins = receipt.map_or_else(Vec::new, |receipt| receipt.sent.clone());
            head.pins.retain(|sent| *sent != question);
            head.mutes.clear();
            head.mute(id, true);
        }
    }
    head
}
