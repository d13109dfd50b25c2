//! What is recalled for other prompts than the draft: for an edited version of a question, which is looked for again, and
//! for a prompt of the queue or of several branches, which is what was shown when the person sent it.

use super::{BlockQuery, BlockWithWords, Finds, Recalls, already_sent, most_tokens};
use crate::steering::RequestSettings;
use reactive_graph::prelude::*;
use sash_chat::window::{left_for_recall, select};
use sash_chat::{Chat, Id, RecallMode, RecalledBlock, RecalledPiece};
use sash_records::queue::{FoundMessage, QueuedPrompt};
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
        self.chats().open.with_untracked(|chat| {
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
        let steering = self.steering();
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
        let parent = self.chats().open_tree().with_untracked(|tree| {
            let question = tree.get(question);
            question.map(|question| question.parent)
        })?;
        let included = self.included(&choice.included);
        let left_out = &choice.left_out;
        Some(self.find_for(parent, prompt, &included, left_out, finds)?.0)
    }

    /// What the person chose for the draft.
    pub(crate) fn choice_of_draft(self) -> VersionChoice {
        let open = self.chats().open_id_untracked();
        let included = self.steering().included.get_untracked().into_iter();
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
        let included = self.included(&choice.included);
        self.steering().included.set(included);
        choice
            .left_out
            .iter()
            .for_each(|id| self.lookup.refuse(*id));
        self.update_now();
    }

    /// The messages of the block that is shown for the draft, with the words that found them.
    pub(crate) fn shown_for_draft(self) -> Vec<FoundMessage> {
        let block = self.steering().recalled_block.get_untracked();
        let pieces = block.into_iter().flat_map(|block| block.pieces);
        self.words.with_untracked(|words| {
            let with_words = |piece: RecalledPiece| FoundMessage {
                words: words.get(&piece.message).cloned().unwrap_or_default(),
                piece,
            };
            pieces.map(with_words).collect()
        })
    }

    /// What goes with a prompt of the queue: what the person included, and what was found when it was queued.
    pub(crate) fn for_queued(self, prompt: &QueuedPrompt) -> Option<RecalledBlock> {
        let leaf = self.chats().open.with_untracked(Chat::leaf);
        let kept = self.of_found(&prompt.recalled());
        let left_out = &prompt.left_out;
        let found = self.find_for(leaf, &prompt.text, &kept, left_out, Finds::Nothing)?;
        Some(found.0)
    }

    /// What else fits a prompt of the queue now, where messages go without the person including them. It is offered and
    /// does not go.
    pub(crate) fn found_since(self, prompt: &QueuedPrompt) -> Vec<FoundMessage> {
        if self.steering().recall_setting.get_untracked().mode != RecallMode::ByItself {
            return Vec::new();
        }
        self.index.extend();
        let leaf = self.chats().open.with_untracked(Chat::leaf);
        let kept = self.of_found(&prompt.recalled());
        let left_out = &prompt.left_out;
        let found = self.find_for(leaf, &prompt.text, &kept, left_out, Finds::Any);
        let Some((block, mut words)) = found else {
            return Vec::new();
        };
        let mut pieces = block.pieces;
        pieces.retain(|piece| kept.iter().all(|one| one.message != piece.message));
        let found = pieces.into_iter().map(|piece| FoundMessage {
            words: words.remove(&piece.message).unwrap_or_default(),
            piece,
        });
        found.collect()
    }

    /// What of the messages that were shown for the draft goes with it after another message than the last one, in a request
    /// to another model: those of them that are before it.
    pub(crate) fn for_branch(
        self,
        parent: Id,
        prompt: &str,
        shown: &[FoundMessage],
        settings: &RequestSettings,
    ) -> Option<RecalledBlock> {
        let shown = self.of_found(shown);
        let found = self.find_with(settings, Some(parent), prompt, &shown, &[], Finds::Nothing);
        Some(found?.0)
    }

    fn of_found(self, found: &[FoundMessage]) -> Vec<Recalled> {
        let open = self.chats().open_id_untracked();
        let found = found.iter().map(|found| Recalled {
            chat: found.piece.chat.unwrap_or(open),
            message: found.piece.message,
            score: 1.0,
            words: found.words.clone(),
        });
        found.collect()
    }

    fn included(self, pieces: &[RecalledPiece]) -> Vec<Recalled> {
        let open = self.chats().open_id_untracked();
        let included = pieces.iter().map(|piece| Recalled {
            chat: piece.chat.unwrap_or(open),
            message: piece.message,
            score: 1.0,
            words: Vec::new(),
        });
        included.collect()
    }

    /// What goes with a prompt whose parent is this message, in a request to the model of the open chat.
    fn find_for(
        self,
        parent: Option<Id>,
        prompt: &str,
        included: &[Recalled],
        left_out: &[Id],
        finds: Finds<'_>,
    ) -> Option<BlockWithWords> {
        let head = self.chats().open.with_untracked(|chat| chat.head.clone());
        let settings = self.steering().settings_with(head)?;
        self.find_with(&settings, parent, prompt, included, left_out, finds)
    }

    /// The same in a request with these settings.
    fn find_with(
        self,
        settings: &RequestSettings,
        parent: Option<Id>,
        prompt: &str,
        included: &[Recalled],
        left_out: &[Id],
        finds: Finds<'_>,
    ) -> Option<BlockWithWords> {
        let steering = self.steering();
        self.chats().open.with_untracked(|chat| {
            let before = chat.path_to(parent);
            let profile = steering.profile_for(settings, prompt, None);
            let window = select(&before, &chat.effective_head(&chat.head), profile);
            let mut left_out: BTreeSet<Id> = left_out.iter().copied().collect();
            left_out.extend(already_sent(chat, &window));
            // The question and what follows it are not on the branch of the version.
            let earlier: BTreeSet<Id> = before.iter().map(|message| message.id).collect();
            let later = |path: &Vec<Id>| {
                let later = path.iter().filter(|id| !earlier.contains(*id));
                left_out.extend(later);
            };
            self.chats().path.with_untracked(later);
            let query = BlockQuery {
                prompt,
                included,
                left_out,
                finds,
                tokens: most_tokens(steering.recall_for(settings), || {
                    let context = steering.context_for(settings);
                    let left = left_for_recall(&window, prompt, profile.estimate, context);
                    steering.most_recalled_for(settings).min(left)
                }),
                estimate: profile.estimate,
            };
            self.find(chat, &query)
        })
    }
}
