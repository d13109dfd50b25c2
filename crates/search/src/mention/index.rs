//! Word counts of one branch, updated as it grows. No text is copied.

use super::date::written_out;
use super::words::each_word;
use fnv::FnvHashMap;
use sash_chat::Id;

/// The pause that ends a sitting, in milliseconds: an hour.
const SITTING_GAP_MS: u64 = 3_600_000;

/// End marker of a chain of postings.
pub(super) const END: u32 = u32::MAX;

/// The counts of one word.
#[derive(Clone, Copy, Default)]
pub(super) struct Term {
    /// Number of messages that contain it.
    pub(super) messages: u32,
    /// Number of sittings that contain it.
    pub(super) sittings: u32,
    /// Index of its newest posting.
    pub(super) newest: u32,
}

/// An occurrence of a word in a message.
pub(super) struct Posting {
    /// The message's index in the branch, times 256, plus the number of occurrences (at most 255).
    packed: u32,
    /// Index of the previous posting of the same word, or [`END`].
    pub(super) older: u32,
}

impl Posting {
    pub(super) fn at(&self) -> usize {
        (self.packed >> 8) as usize
    }

    pub(super) fn count(&self) -> u32 {
        self.packed & 0xff
    }
}

/// A message in the index.
pub(super) struct BranchMessage {
    pub(super) id: Id,
    pub(super) words: u32,
    pub(super) sitting: u32,
}

/// The words of the messages of one branch, oldest first. Messages are added one by one; another branch needs
/// another index. Takes about 8 bytes for each different word of each message.
#[derive(Default)]
pub struct MentionIndex {
    /// The counts of each word, by stem.
    terms: FnvHashMap<Box<str>, Term>,
    pub(super) postings: Vec<Posting>,
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
                self.count(stem);
            });
        }
        self.date = date;
        if let Some(message) = self.messages.last_mut() {
            message.words = words;
        }
        self.sittings[sitting] += words;
        self.words += words;
    }

    /// The counts of a word, by stem.
    pub(super) fn term(&self, stem: &str) -> Term {
        self.terms.get(stem).copied().unwrap_or_default()
    }

    /// Counts a word of the newest message.
    fn count(&mut self, stem: &str) {
        let at = self.messages.len() - 1;
        let mut term = self.terms.get(stem).copied().unwrap_or(Term {
            newest: END,
            ..Term::default()
        });
        // Chains begin at the newest message: if that is the current one, only its number of occurrences
        // grows.
        if let Some(newest) = self.postings.get_mut(term.newest as usize) {
            if newest.at() == at {
                if newest.count() < 0xff {
                    newest.packed += 1;
                }
                return;
            }
            let before = self.messages[newest.at()].sitting;
            term.sittings += u32::from(before != self.messages[at].sitting);
        } else {
            term.sittings = 1;
        }
        self.postings.push(Posting {
            packed: (at as u32) << 8 | 1,
            older: term.newest,
        });
        term.messages += 1;
        term.newest = (self.postings.len() - 1) as u32;
        match self.terms.get_mut(stem) {
            Some(known) => *known = term,
            None => _ = self.terms.insert(stem.into(), term),
        }
    }
}
