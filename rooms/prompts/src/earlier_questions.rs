//! A walk through the questions of the open chat with Alt+Up and Alt+Down: each is put into the composer. What was being
//! written stays the draft meanwhile, and comes back at the end of the walk.

use reactive_graph::prelude::*;
use sash_chat::{Message, Role};
use sash_stores::{Kernel, uses};

/// The walk through earlier questions.
#[derive(Clone, Copy)]
pub struct EarlierQuestions {
    kernel: Kernel,
}

uses!(EarlierQuestions.kernel: chats drafts);

impl EarlierQuestions {
    /// The walk through the questions of the open chat.
    #[must_use]
    pub fn new(kernel: Kernel) -> Self {
        Self { kernel }
    }

    /// Puts the question before the one shown into the composer. Returns whether there is one.
    pub fn older(self) -> bool {
        self.go(self.place().map_or(0, |at| at + 1))
    }

    /// Puts the question after the one shown into the composer; after the last one, what was being written. Returns
    /// whether there is one.
    pub fn newer(self) -> bool {
        match self.place() {
            Some(0) => {
                self.drafts().show_own();
                true
            }
            Some(at) => self.go(at - 1),
            None => false,
        }
    }

    /// The number of the question that is shown, counted from the last one; `None` while the composer shows the draft.
    fn place(self) -> Option<usize> {
        let shown = self.drafts().shown_question()?;
        // On another branch the walk begins again at its last question.
        let at = self.chats().open.with_untracked(|chat| {
            let mut asked = chat.path().into_iter().rev().filter(|m| is_question(m));
            asked.position(|message| message.id == shown)
        });
        Some(at.unwrap_or_default())
    }

    fn go(self, n: usize) -> bool {
        let question = self.chats().open.with_untracked(|chat| {
            let mut asked = chat.path().into_iter().rev().filter(|m| is_question(m));
            asked.nth(n).cloned()
        });
        if let Some(question) = &question {
            self.drafts().show_question(question);
        }
        question.is_some()
    }
}

fn is_question(message: &Message) -> bool {
    message.role == Role::User
}
