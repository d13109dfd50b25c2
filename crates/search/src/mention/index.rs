//! The messages of one branch, to which a draft may refer.

use crate::recall::{RecallIndex, Recalled};
use sash_chat::Id;

/// The words of the messages of one branch, oldest first. Messages are added one by one; another branch needs
/// another index. Both the offer and the recall of the branch are asked of it.
#[derive(Default)]
pub struct MentionIndex {
    pub(super) recall: RecallIndex,
}

impl MentionIndex {
    /// An empty index.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many messages it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.recall.len()
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.recall.is_empty()
    }

    /// Adds the next message of the branch; see [`RecallIndex::add`]. For dates in the reader's time zone, add the
    /// reader's offset from UTC to `created_ms`.
    ///
    /// Messages that can never be sent (failed, empty, deleted) need not be added; conditions that can
    /// change, such as muting, are passed to [`MentionIndex::mentioned`].
    pub fn add(&mut self, id: Id, text: &str, created_ms: u64) {
        // A branch belongs to one chat.
        self.recall.add(Id(0), id, text, created_ms);
    }

    /// The messages of the branch that fit a prompt, best first; see [`RecallIndex::recall`].
    #[must_use]
    pub fn recall(&self, prompt: &str, may: &dyn Fn(Id) -> bool) -> Vec<Recalled> {
        self.recall.recall(prompt, &|_, message| may(message))
    }
}
