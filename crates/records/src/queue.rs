//! The queue of a chat: prompts that were written while an answer ran and wait for their turn, in their order.
//!
//! Unlike a draft, a queued prompt was sent as far as its author is concerned, so exports have it. It goes to the trash
//! with its chat and is purged with it.

use sash_chat::{Id, Image, PromptChoice, PromptDraft};
use sash_log::{ChatRecord, KeyValue, Log, RecordContent, RecordKind, Rewrites, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::{DefaultOnError, VecSkipError, serde_as};

/// The prompts of a chat that wait for their turn.
pub const QUEUE: &RecordKind = &RecordKind {
    letter: "q",
    is_of_chat: true,
    in_files: true,
    rewrites: Rewrites::CountedOn,
};

/// The most prompts of a queue. More than a person writes during an answer, and few enough to read all of them at once.
pub const MAX_QUEUED: usize = 20;

/// A prompt that waits for its turn.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QueuedPrompt {
    /// Its id.
    pub id: Id,
    /// The prompt: its files, and what is written after them.
    pub text: String,
    /// Its images.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    pub images: Vec<Image>,
    /// The messages that go with it. What was found when it was put into the queue is all that was; older records have none.
    #[serde(flatten)]
    pub choice: PromptChoice,
    /// The fields that a later version of Sash wrote.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl QueuedPrompt {
    /// A text with which nothing else goes.
    #[must_use]
    pub fn new(id: Id, text: impl Into<String>) -> Self {
        Self {
            id,
            text: text.into(),
            images: Vec::new(),
            choice: PromptChoice::default(),
            unknown: Map::new(),
        }
    }

    /// The prompt that it is: nothing more is looked for.
    #[must_use]
    pub fn prompt(&self) -> PromptDraft {
        let mut choice = self.choice.clone();
        choice.found.get_or_insert_default();
        PromptDraft {
            text: self.text.clone(),
            images: self.images.clone(),
            choice,
        }
    }
}

/// The queue of a chat.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Queue {
    /// The prompts; the first goes next.
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    pub prompts: Vec<QueuedPrompt>,
    /// The fields that a later version of Sash wrote.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl RecordContent for Queue {
    fn is_blank(&self) -> bool {
        self.prompts.is_empty()
    }
}

/// The queues of chats.
pub const QUEUES: ChatRecord<Queue> = ChatRecord::new(QUEUE);

/// The queues of a log.
pub trait QueueLog {
    /// The queue of a chat, in its order; empty where there is none.
    fn queue(&mut self, chat: Id) -> Vec<QueuedPrompt>;

    /// Changes the queue of a chat: [`ChatRecord::change`].
    ///
    /// # Errors
    /// [`StoreError`]; then the queue waits for room.
    fn change_queue(
        &mut self,
        chat: Id,
        now: u64,
        change: impl FnOnce(&mut Vec<QueuedPrompt>),
    ) -> Result<(), StoreError>;
}

impl<S: KeyValue> QueueLog for Log<S> {
    fn queue(&mut self, chat: Id) -> Vec<QueuedPrompt> {
        let record = QUEUES.read(self, chat);
        record
            .map(|record| record.content.prompts)
            .unwrap_or_default()
    }

    fn change_queue(
        &mut self,
        chat: Id,
        now: u64,
        change: impl FnOnce(&mut Vec<QueuedPrompt>),
    ) -> Result<(), StoreError> {
        QUEUES.change(self, chat, now, |queue| change(&mut queue.prompts))
    }
}
