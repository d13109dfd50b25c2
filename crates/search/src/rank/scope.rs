//! The messages among which something is recalled or offered.

use crate::MessageIndex;
use crate::index::{IndexedMessage, Utterance};
use crate::inverted::InvertedIndex;
use sash_chat::Id;

/// The pause that ends a sitting, in milliseconds: an hour. A message after it does not answer the one before.
pub const SITTING_GAP_MS: u64 = 3_600_000;

/// A message of a scope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScopedMessage {
    pub(crate) chat: Id,
    pub(crate) id: Id,
    pub(crate) sitting: usize,
    pub(crate) said: Utterance,
}

/// The messages of an index among which something is recalled or offered, the oldest first in each chat: a branch, or all
/// of them. They alone say which words are rare, and how long a message or a sitting is.
///
/// What must not be recalled (muted, in the window) is kept out by `may` when asking, and counts as context.
#[derive(Debug)]
pub struct RecallScope<'a> {
    terms: &'a InvertedIndex,
    pub(crate) messages: Vec<ScopedMessage>,
    /// The place in `messages` of each message of the index, by its number.
    places: Vec<Option<u32>>,
    /// The number of terms of each sitting.
    pub(crate) sittings: Vec<u32>,
    /// The number of terms of all messages.
    pub(crate) words: u32,
}

impl MessageIndex {
    /// All messages that may be sent, chat by chat.
    #[must_use]
    pub fn all(&self) -> RecallScope<'_> {
        let mut numbers: Vec<usize> = self.numbers.values().copied().collect();
        numbers.sort_by_cached_key(|number| {
            let IndexedMessage { hit, utterance } = &self.messages[*number];
            let seq = utterance.as_ref().map(|utterance| utterance.seq);
            (hit.chat, seq, hit.message)
        });
        RecallScope::new(self, numbers)
    }

    /// The messages of a branch of a chat, in their order, as far as they are in the index.
    #[must_use]
    pub fn branch(&self, chat: Id, path: impl IntoIterator<Item = Id>) -> RecallScope<'_> {
        let number = |message: Id| self.numbers.get(&(chat, Some(message))).copied();
        RecallScope::new(self, path.into_iter().filter_map(number))
    }
}

impl<'a> RecallScope<'a> {
    /// The messages with these numbers, in this order, without those that are sent to no model. After a pause of an hour a
    /// new sitting begins.
    pub(crate) fn new(index: &'a MessageIndex, numbers: impl IntoIterator<Item = usize>) -> Self {
        let mut scope = Self {
            terms: &index.terms,
            messages: Vec::new(),
            places: vec![None; index.messages.len()],
            sittings: Vec::new(),
            words: 0,
        };
        let mut former: Option<(Id, u64)> = None;
        for number in numbers {
            let IndexedMessage { hit, utterance } = index.messages[number];
            let (Some(id), Some(said)) = (hit.message, utterance) else {
                continue;
            };
            let goes_on = former.is_some_and(|(chat, created)| {
                chat == hit.chat && hit.created < created.saturating_add(SITTING_GAP_MS)
            });
            if !goes_on {
                scope.sittings.push(0);
            }
            let sitting = scope.sittings.len() - 1;
            scope.sittings[sitting] += said.words;
            scope.words = scope.words.saturating_add(said.words);
            scope.places[number] = Some(scope.messages.len() as u32);
            scope.messages.push(ScopedMessage {
                chat: hit.chat,
                id,
                sitting,
                said,
            });
            former = Some((hit.chat, hit.created));
        }
        scope
    }

    /// The places of the messages that contain a term, and how often.
    pub(crate) fn postings(&self, term: &str) -> impl Iterator<Item = (usize, u32)> {
        let postings = self.terms.postings(term).iter();
        postings.filter_map(move |posting| {
            let place = self.places[posting.document()]?;
            Some((place as usize, posting.count()))
        })
    }

    /// Whether one of the messages contains a term.
    pub(crate) fn has(&self, term: &str) -> bool {
        self.postings(term).next().is_some()
    }

    /// The terms of the messages that begin with `prefix` and pass `is_like`, in alphabetical order.
    pub(crate) fn terms_like(
        &self,
        prefix: &str,
        is_like: impl Fn(&str) -> bool,
    ) -> impl Iterator<Item = &str> {
        let terms = self.terms.words_with_prefix(prefix);
        let terms = terms.filter(move |(term, postings)| {
            let mut documents = postings.iter().map(|posting| posting.document());
            is_like(term) && documents.any(|document| self.places[document].is_some())
        });
        terms.map(|(term, _)| term)
    }

    /// The places of the messages before one in its sitting, the nearest first.
    pub(crate) fn before(&self, place: usize) -> impl Iterator<Item = usize> {
        let sitting = self.messages[place].sitting;
        let near = (0..place).rev();
        near.take_while(move |near| self.messages[*near].sitting == sitting)
    }

    /// The places of the messages after one in its sitting, the nearest first.
    pub(crate) fn after(&self, place: usize) -> impl Iterator<Item = usize> {
        let sitting = self.messages[place].sitting;
        let near = place + 1..self.messages.len();
        near.take_while(move |near| self.messages[*near].sitting == sitting)
    }
}
