//! The comparison that is shown, and the versions and branches of the open chat.

mod other_models;
mod other_window;

use crate::branches::{branch_map, column};
use other_models::WaitingModels;
use reactive_graph::computed::Memo;
use reactive_graph::graph::untrack;
use reactive_graph::owner::expect_context;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::Id;
use sash_stores::{ChatEvent, Kernel, WhatIfDifference, uses};

/// The most models that are asked at once, and the most answers side by side.
pub const MAX_SIDES: usize = 4;

/// What the dialog shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Nothing: it is closed.
    Closed,
    /// The choice of another window for the question of this answer.
    OtherWindow(Id),
    /// The choice of another model for the question of this answer.
    OtherModel(Id),
    /// The choice of several models for the draft, or for the question of this answer.
    Models(Option<Id>),
    /// Two answers to one question, with different windows.
    Windows {
        /// The one of the branch.
        first: Id,
        /// The other one.
        second: Id,
        /// What besides the window is different between them.
        differences: Vec<WhatIfDifference>,
    },
    /// The answers to a question.
    Sides {
        /// The question.
        question: Id,
        /// The answer at which it was opened: it is a column, however many newer versions there are.
        opened_at: Option<Id>,
    },
}

/// The same question with another window or other models. Nothing changes in the chat until the person chooses an answer.
#[derive(Clone, Copy)]
pub struct Compare {
    kernel: Kernel,
    /// What the dialog shows.
    pub shown: RwSignal<Comparison>,
    /// Whether the map of the open chat's branches is open.
    pub branches_shown: RwSignal<bool>,
    /// The number of branches of the open chat.
    pub branches: Memo<usize>,
    models: WaitingModels,
}

uses!(Compare.kernel: notices engine chats drafts steering answers);

impl Compare {
    /// Creates the store with the dialog closed. When an answer has ended, the next model is asked.
    #[must_use]
    pub fn new(kernel: Kernel) -> Self {
        let chats = kernel.chats();
        let store = Self {
            kernel,
            shown: RwSignal::new(Comparison::Closed),
            branches_shown: RwSignal::new(false),
            // Every branch that is shown goes through a fork, if there is one.
            branches: Memo::new(move |_| match chats.forks.with(Vec::is_empty) {
                true => 1,
                false => chats
                    .open_tree()
                    .with(|tree| branch_map(tree, None).branches),
            }),
            models: WaitingModels::default(),
        };
        chats.events().on(move |event| {
            if *event == ChatEvent::Left {
                store.close();
                // A temporary chat ends when it is left.
                let left = chats.open_id_untracked();
                if chats.is_temporary_untracked(left) {
                    store.drop_requests(left);
                }
            }
        });
        store.ask_models_in_turn();
        store
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// Shows what is made of the question of an answer.
    pub fn open(self, answer: Id, comparison: impl FnOnce(Id) -> Comparison) {
        match self.answers().asked(answer) {
            Some((question, _)) => self.shown.set(comparison(question)),
            None => self.answers().report_no_question(),
        }
    }

    /// Closes the dialog. What runs goes on.
    pub fn close(self) {
        self.shown.set(Comparison::Closed);
    }

    /// The answers to a question that stand side by side: the newest versions and the one at which the dialog was opened; and
    /// how many older ones do not.
    pub fn sides(self, question: Id) -> (Vec<Id>, usize) {
        let opened_at = self.shown.with(|shown| match shown {
            Comparison::Sides { opened_at, .. } => *opened_at,
            _ => None,
        });
        let (mut sides, kept) = self.chats().open_tree().with(|tree| {
            let sides = tree.answers_to(question);
            let branch = tree.path_to(opened_at);
            let is_kept = |side: &Id| branch.iter().any(|message| message.id == *side);
            let kept = sides.iter().position(is_kept);
            (sides, kept)
        });
        let room = MAX_SIDES.saturating_sub(self.waiting_for(question).len());
        let older = sides.len().saturating_sub(room);
        if let Some(kept) = kept.filter(|kept| *kept < older && room > 0) {
            sides[kept..=older].rotate_left(1);
        }
        sides.drain(..older);
        (sides, older)
    }

    /// What stands below an answer side by side: the answer, and what was asked after it.
    pub fn column(self, answer: Id) -> Vec<Id> {
        self.chats().open_tree().with(|tree| column(tree, answer))
    }

    /// Goes on with one of the answers and its model. The others stay as versions beside it; models that wait are not
    /// asked, and what runs is stopped, unless it is this one.
    pub fn go_on_with(self, answer: Id) {
        let chat = self.chats().open_id_untracked();
        self.leave_all_out();
        if let Some(runs) = untrack(|| self.answers().running_in(chat)) {
            let branch = self.chats().open_tree().with_untracked(|tree| {
                let branch = tree.path_to(Some(runs));
                branch.iter().any(|message| message.id == answer)
            });
            if !branch {
                self.answers().stop(chat);
            }
        }
        self.chats().walk_to(answer);
        self.steering().take_model_of(answer);
        self.close();
    }
}
