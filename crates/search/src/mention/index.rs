//! Counts of the words of one branch, kept as it grows. No text is copied.

use super::date::written_out;
use super::words::each_word;
use fnv::FnvHashMap;
use sash_chat::Id;

/// A pause that ends a sitting, in milliseconds: an hour.
const PAUSE: u64 = 3_600_000;

/// The end of a chain of postings.
pub(super) const END: u32 = u32::MAX;

/// What is known of one word.
#[derive(Clone, Copy, Default)]
pub(super) struct Term {
    /// Messages that hold it.
    pub(super) messages: u32,
    /// Sittings that hold it.
    pub(super) sittings: u32,
    /// Its newest posting.
    pub(super) newest: u32,
}

/// That a message holds a word.
pub(super) struct Posting {
    /// The message's place in the branch, times 256, and how often (255 and more are one).
    packed: u32,
    /// The posting before it of the same word, or [`END`].
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

/// A message as the index knows it.
pub(super) struct Known {
    pub(super) id: Id,
    pub(super) words: u32,
    pub(super) sitting: u32,
}

/// The words of the messages of one branch, oldest first. Built by adding messages one by one; another
/// branch takes another index. About 8 bytes for each different word of each message.
#[derive(Default)]
pub struct Index {
    /// What is known of each word, under its stem.
    terms: FnvHashMap<Box<str>, Term>,
    pub(super) postings: Vec<Posting>,
    pub(super) messages: Vec<Known>,
    /// The number of words of each sitting.
    pub(super) sittings: Vec<u32>,
    /// Words of all messages.
    pub(super) words: u32,
    newest_ms: u64,
    date: String,
}

impl Index {
    /// An index of nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many messages it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Adds the next message of the branch. Only its own words are touched. `created_ms` says when it was
    /// written, in milliseconds since 1970; for date words of the reader's own day, shifted by the
    /// reader's offset from UTC. After a pause of an hour a new sitting begins.
    ///
    /// Messages that can never be sent (failed, empty, deleted) need not be added; what can change, as
    /// muting does, is asked for in [`Index::mentioned`].
    pub fn add(&mut self, id: Id, text: &str, created_ms: u64) {
        if self.messages.is_empty() || created_ms >= self.newest_ms.saturating_add(PAUSE) {
            self.sittings.push(0);
            self.date = written_out(created_ms);
        }
        self.newest_ms = created_ms;
        let sitting = self.sittings.len() - 1;
        self.messages.push(Known {
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

    /// What is known of a word, by its stem.
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
        // Chains begin at the newest message: if that is this one, the word is only counted again.
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
