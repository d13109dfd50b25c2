//! Recall for other prompts than the draft: for an edited version of a question, which is looked for again, and
//! for a prompt that was put aside or goes to several branches, which is what was shown when the person sent it.

use super::{BlockQuery, BlockWithWords, Finds, Recalls, already_sent, most_tokens, with_words};
use reactive_graph::prelude::*;
use sash_chat::{FoundMessage, Id, PromptChoice, PromptDraft, RecallMode, RecalledBlock};
use sash_search::recall::Recalled;
use sash_stores::PromptPlace;
use std::collections::BTreeSet;
use std::time::Duration;

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
        match self.all_chats().extend_branch() {
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
        text: &str,
        choice: &PromptChoice,
    ) -> Option<RecalledBlock> {
        let prompt = PromptDraft {
            text: text.to_owned(),
            images: Vec::new(),
            choice: choice.clone(),
        };
        let parent = self.chats().open_tree().with_untracked(|tree| {
            let question = tree.get(question);
            question.map(|question| question.parent)
        })?;
        self.with_place(parent, Some(question), &prompt, |place| {
            self.quotes_for(place)
        })
    }

    /// Reads the place of a prompt after a message of the open chat; `None` without a model.
    fn with_place<T>(
        self,
        after: Option<Id>,
        version_of: Option<Id>,
        prompt: &PromptDraft,
        read: impl FnOnce(&PromptPlace<'_>) -> Option<T>,
    ) -> Option<T> {
        let steering = self.steering();
        let head = self.chats().open.with_untracked(|chat| chat.head.clone());
        let settings = steering.settings_with(head)?;
        steering.with_place(&settings, after, version_of, prompt, read)
    }

    /// What is quoted for a prompt: what is known to go with it, and what fits it, unless that was found before.
    pub(super) fn quotes_for(self, place: &PromptPlace<'_>) -> Option<RecalledBlock> {
        let former = place.version_of.and_then(|id| self.of_question(id));
        let former = former.into_iter().flat_map(|block| block.pieces);
        let former: BTreeSet<Id> = former.map(|piece| piece.message).collect();
        let PromptDraft { text, choice, .. } = place.prompt;
        let finds = match self.steering().recall_for(place.head).mode {
            _ if choice.found.is_some() || text.trim().is_empty() => Finds::Nothing,
            RecallMode::ByItself => Finds::Any,
            RecallMode::Offer | RecallMode::Off => Finds::Among(&former),
        };
        Some(self.find_at(place, finds)?.0)
    }

    /// The messages of the draft's block, each with the words by which it was found.
    pub fn with_words(self, block: Option<RecalledBlock>) -> Vec<FoundMessage> {
        let found = |words: &_| block.map(|block| with_words(block, words));
        self.words.with_untracked(found).unwrap_or_default()
    }

    /// The messages of the block that is shown for the draft, with the words that found them, without those that the
    /// person included.
    pub(super) fn shown_for(self, choice: &PromptChoice) -> Vec<FoundMessage> {
        let mut shown = self.with_words(self.block.get_untracked());
        shown.retain(|found| {
            let mut included = choice.included.iter();
            included.all(|one| one.piece.message != found.piece.message)
        });
        shown
    }

    /// What else fits a prompt that was put aside now, where messages go without the person including them. It is offered
    /// and does not go.
    pub fn found_since(self, prompt: &PromptDraft) -> Vec<FoundMessage> {
        if self.steering().recall_setting.get_untracked().mode != RecallMode::ByItself {
            return Vec::new();
        }
        let leaf = self.chats().open.with_untracked(|chat| chat.leaf());
        let found = self.with_place(leaf, None, prompt, |place| self.find_at(place, Finds::Any));
        let found = found.map(|(block, words)| with_words(block, &words));
        let mut found = found.unwrap_or_default();
        found.retain(|found| {
            let mut known = prompt.choice.known();
            known.all(|one| one.piece.message != found.piece.message)
        });
        found
    }

    pub(super) fn of_found<'a>(
        self,
        found: impl IntoIterator<Item = &'a FoundMessage>,
    ) -> Vec<Recalled> {
        let open = self.chats().open_id_untracked();
        let found = found.into_iter().map(|found| Recalled {
            chat: found.piece.chat.unwrap_or(open),
            message: found.piece.message,
            // It goes because the person chose it, or saw it.
            score: 1.0,
            words: found.words.clone(),
        });
        found.collect()
    }

    /// Quotes what is known to go with a prompt, and what else is found for it.
    fn find_at(self, place: &PromptPlace<'_>, finds: Finds<'_>) -> Option<BlockWithWords> {
        if !matches!(finds, Finds::Nothing) {
            self.all_chats().extend_branch();
        }
        let PromptDraft { text, choice, .. } = place.prompt;
        let mut left_out: BTreeSet<Id> = choice.left_out.iter().copied().collect();
        left_out.extend(already_sent(place.chat, place.chosen));
        // What follows its place is not on the branch of the prompt.
        let before = place.chat.path_to(place.after);
        let earlier: BTreeSet<Id> = before.iter().map(|message| message.id).collect();
        let later = |path: &Vec<Id>| {
            let later = path.iter().filter(|id| !earlier.contains(*id));
            left_out.extend(later);
        };
        self.chats().path.with_untracked(later);
        let query = BlockQuery {
            prompt: text,
            included: &self.of_found(choice.known()),
            left_out,
            finds,
            tokens: most_tokens(self.steering().recall_for(place.head), || place.room),
            estimate: place.estimate,
        };
        self.find(place.chat, &query)
    }
}
