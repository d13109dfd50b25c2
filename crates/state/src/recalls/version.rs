//! What is recalled for an edited version of a question: looked for anew, before it is sent.

use super::{BlockQuery, Finds, Recalls, already_sent};
use reactive_graph::prelude::*;
use sash_chat::window::select;
use sash_chat::{Chat, Id, RecallMode, RecalledBlock, RecalledPiece};
use sash_search::recall::Recalled;
use std::collections::BTreeSet;
use std::time::Duration;

/// What the person chose for a version of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VersionChoice {
    /// The messages that go in any case.
    pub included: Vec<RecalledPiece>,
    /// The messages that do not go.
    pub left_out: Vec<Id>,
}

impl VersionChoice {
    /// Includes a message.
    pub fn include(&mut self, piece: RecalledPiece) {
        self.left_out.retain(|id| *id != piece.message);
        self.included.push(piece);
    }

    /// Leaves a message out.
    pub fn exclude(&mut self, id: Id) {
        self.included.retain(|piece| piece.message != id);
        self.left_out.push(id);
    }
}

impl Recalls {
    /// What the present version of a question was sent with, unless the person took it out.
    pub fn of_question(self, question: Id) -> Option<RecalledBlock> {
        self.chats.open.with_untracked(|chat| {
            let question = chat.get(question)?;
            let goes = chat.head.sends_recalled(question);
            question.recalled.clone().filter(|_| goes)
        })
    }

    /// Calls `then` once all messages of the branch are in the index, which is built in slices.
    pub fn when_indexed(self, then: impl FnOnce() + 'static) {
        match self.index.extend() {
            true => then(),
            false => self
                .edges
                .after(Duration::ZERO, move || self.when_indexed(then)),
        }
    }

    /// What goes with a version of a question: what the person included and what fits its text, of the messages before
    /// the question. Where messages do not go by themselves, of those that went with the question.
    pub fn for_version(
        self,
        question: Id,
        prompt: &str,
        choice: &VersionChoice,
    ) -> Option<RecalledBlock> {
        self.index.extend();
        let steering = self.steering;
        let former = self.of_question(question);
        let former: BTreeSet<Id> = former
            .iter()
            .flat_map(|block| &block.pieces)
            .map(|piece| piece.message)
            .collect();
        let mode = steering.recall_setting.get_untracked().mode;
        let finds = match mode {
            _ if prompt.trim().is_empty() => Finds::Nothing,
            RecallMode::ByItself => Finds::Any,
            RecallMode::Offer | RecallMode::Off => Finds::Among(&former),
        };
        let parent = self.chats.open_tree().with_untracked(|tree| {
            let question = tree.get(question);
            question.map(|question| question.parent)
        })?;
        self.find_for(parent, prompt, choice, finds)
    }

    /// What the person chose for the draft.
    pub(crate) fn choice_of_draft(self) -> VersionChoice {
        let open = self.chats.open_id_untracked();
        let included = self.steering.included.get_untracked().into_iter();
        let included = included.map(|one| RecalledPiece {
            message: one.message,
            chat: Some(one.chat).filter(|chat| *chat != open),
            excerpt: false,
        });
        VersionChoice {
            included: included.collect(),
            left_out: self.lookup.refused(),
        }
    }

    /// Chooses these for the draft, in the place of what was chosen before.
    pub(crate) fn choose_for_draft(self, choice: &VersionChoice) {
        let included = self.included(choice);
        self.steering.included.set(included);
        choice
            .left_out
            .iter()
            .for_each(|id| self.lookup.refuse(*id));
        self.update_now();
    }

    /// What goes with a prompt at the end of the branch: what the person included, and what fits its text.
    pub(crate) fn for_queued(self, prompt: &str, choice: &VersionChoice) -> Option<RecalledBlock> {
        self.index.extend();
        let finds = match self.steering.recall_setting.get_untracked().mode {
            RecallMode::ByItself => Finds::Any,
            RecallMode::Offer | RecallMode::Off => Finds::Nothing,
        };
        let leaf = self.chats.open.with_untracked(Chat::leaf);
        self.find_for(leaf, prompt, choice, finds)
    }

    fn included(self, choice: &VersionChoice) -> Vec<Recalled> {
        let open = self.chats.open_id_untracked();
        let included = choice.included.iter().map(|piece| Recalled {
            chat: piece.chat.unwrap_or(open),
            message: piece.message,
            score: 1.0,
            words: Vec::new(),
        });
        included.collect()
    }

    /// What goes with a prompt whose parent is this message.
    fn find_for(
        self,
        parent: Option<Id>,
        prompt: &str,
        choice: &VersionChoice,
        finds: Finds<'_>,
    ) -> Option<RecalledBlock> {
        let steering = self.steering;
        let included = self.included(choice);
        self.chats.open.with_untracked(|chat| {
            let before = chat.path_to(parent);
            let settings = steering.settings_with(chat.head.clone())?;
            let profile = steering.profile_for(&settings, prompt, None);
            let window = select(&before, &chat.effective_head(&chat.head), profile);
            let mut left_out: BTreeSet<Id> = choice.left_out.iter().copied().collect();
            left_out.extend(already_sent(chat, &window));
            // The question and what follows it are not on the branch of the version.
            let earlier: BTreeSet<Id> = before.iter().map(|message| message.id).collect();
            let later = |path: &Vec<Id>| {
                let later = path.iter().filter(|id| !earlier.contains(*id));
                left_out.extend(later);
            };
            self.chats.path.with_untracked(later);
            let query = BlockQuery {
                prompt,
                included: &included,
                left_out,
                finds,
            };
            Some(self.find(chat, &query)?.0)
        })
    }
}
