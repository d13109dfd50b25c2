//! What is recalled for an edited version of a question: looked for anew, before it is sent.

use super::{BlockQuery, Finds, Recalls, already_sent};
use reactive_graph::prelude::*;
use sash_chat::window::select;
use sash_chat::{Id, RecallMode, RecalledBlock, RecalledPiece};
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
        self.chats.open.with_untracked(|chat| {
            let before = chat.path_to(chat.get(question)?.parent);
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
            let included = choice.included.iter().map(|piece| Recalled {
                chat: piece.chat.unwrap_or(chat.head.id),
                message: piece.message,
                score: 1.0,
                words: Vec::new(),
            });
            let included: Vec<Recalled> = included.collect();
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
