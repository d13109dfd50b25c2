//! Word counts of one branch, updated as it grows. No text is copied.

use super::date::written_out;
use super::words::each_word;
use crate::inverted::InvertedIndex;
use sash_chat::Id;

/// The pause that ends a sitting, in milliseconds: an hour.
const SITTING_GAP_MS: u64 = 3_600_000;

/// A message in the index.
pub(super) struct BranchMessage {
    pub(super) id: Id,
    pub(super) words: u32,
    pub(super) sitting: u32,
}

/// The words of the messages of one branch, oldest first. Messages are added one by one; another branch needs
/// another index.
#[derive(Default)]
pub struct MentionIndex {
    /// The stems of each message, by its place in `messages`.
    pub(super) stems: InvertedIndex,
    pub(super) messages: Vec<BranchMessage>,
    /// The number of words of each sitting.
    pub(super) sittings: Vec<u32>,
    /// Number of words of all messages.
    pub(super) words: u32,
    newest_ms: u64,
    date: String,
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
        self.messages.len()
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Adds the next message of the branch; the cost depends on its own words only. `created_ms` says when it
    /// was written, in milliseconds since 1970; for dates in the reader's time zone, add the reader's offset
    /// from UTC. After a pause of an hour a new sitting begins.
    ///
    /// Messages that can never be sent (failed, empty, deleted) need not be added; conditions that can
    /// change, such as muting, are passed to [`MentionIndex::mentioned`].
    pub fn add(&mut self, id: Id, text: &str, created_ms: u64) {
        if self.stems.add_document().is_none() {
            return;
        }
        if self.messages.is_empty() || created_ms >= self.newest_ms.saturating_add(SITTING_GAP_MS) {
            self.sittings.push(0);
            self.date = written_out(created_ms);
        }
        self.newest_ms = created_ms;
        let sitting = self.sittings.len() - 1;
        self.messages.push(BranchMessage {
            id,
            words: 0,
            sitting: sitting as u32,
        });
        let date = std::mem::take(&mut self.date);
        let mut words = 0;
        for text in [text, &date] {
            each_word(text, &mut |stem, _| {
                words += 1;
                self.stems.count(stem);
            });
        }
        self.date = date;
        if let Some(message) = self.messages.last_mut() {
            message.words = words;
        }
        self.sittings[sitting] += words;
        self.words += words;
    }
}
