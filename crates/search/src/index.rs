//! The messages of all chats, and which of them contain the words of a query.

use super::SearchQuery;
use super::inverted::{InvertedIndex, Posting};
use sash_chat::Id;
use sash_text::{SegmentKind, each_emoji_form, each_part, each_word};
use std::collections::BTreeMap;

/// A message that contains every word of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchHit {
    /// Its chat.
    pub chat: Id,
    /// Its id; `None` for the title of the chat.
    pub message: Option<Id>,
    /// When it was written, in milliseconds since 1970.
    pub created: u64,
}

/// The words of all messages.
#[derive(Debug, Default)]
pub struct MessageIndex {
    words: InvertedIndex,
    /// The messages, by their number in `words`; those removed since [`Self::sweep`] too.
    messages: Vec<SearchHit>,
    /// The number of each message, by id.
    numbers: BTreeMap<(Id, Option<Id>), usize>,
}

impl MessageIndex {
    /// How many messages and titles it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Whether it holds that message.
    #[must_use]
    pub fn contains(&self, chat: Id, message: Option<Id>) -> bool {
        self.numbers.contains_key(&(chat, message))
    }

    /// The messages of a chat that it holds.
    pub(crate) fn messages_of(&self, chat: Id) -> Vec<Id> {
        let of_chat = self.numbers.range((chat, None)..);
        let of_chat = of_chat.take_while(|((of, _), _)| *of == chat);
        of_chat.filter_map(|((_, message), _)| *message).collect()
    }

    /// Adds a message, or with `None` the title of a chat. Replaces an earlier text with the same id.
    pub fn add(&mut self, chat: Id, message: Option<Id>, created: u64, text: &str) {
        self.remove(chat, message);
        let Some(number) = self.words.add_document() else {
            return;
        };
        let words = &mut self.words;
        each_word(text, &mut |kind, word, _| match kind {
            SegmentKind::Word => words.count(word),
            SegmentKind::Run => each_part(word, &mut |part| words.count(part)),
            SegmentKind::Emoji => each_emoji_form(word, &mut |form| words.count(form)),
        });
        self.messages.push(SearchHit {
            chat,
            message,
            created,
        });
        self.numbers.insert((chat, message), number);
    }

    /// Removes a message, or with `None` the title of a chat. Its words stay until [`Self::sweep`].
    pub fn remove(&mut self, chat: Id, message: Option<Id>) {
        self.numbers.remove(&(chat, message));
    }

    /// Removes the words of what was removed.
    pub fn sweep(&mut self) {
        let numbers = &mut self.numbers;
        let messages = &mut self.messages;
        let is_current = |number: usize| {
            let hit = &messages[number];
            numbers.get(&(hit.chat, hit.message)) == Some(&number)
        };
        let renumbered = self.words.retain(is_current);
        let mut new = renumbered.iter();
        messages.retain(|_| new.next().is_some_and(Option::is_some));
        numbers.retain(|_, number| match renumbered[*number] {
            Some(new) => {
                *number = new as usize;
                true
            }
            None => false,
        });
    }

    #[cfg(test)]
    pub(crate) fn holds(&self, word: &str) -> bool {
        !self.words.postings(word).is_empty()
    }

    /// The messages that contain every word of the query, newest first. Calls `text` for those that the index
    /// alone cannot decide.
    #[must_use]
    pub fn search(
        &self,
        query: &SearchQuery,
        text: &mut dyn FnMut(&SearchHit) -> Option<String>,
    ) -> Vec<SearchHit> {
        if query.is_empty() {
            return Vec::new();
        }
        // How many words each message contains, up to the first one that it lacks. A word costs its postings alone: a
        // pasted text has thousands of words.
        let mut counts = vec![0u32; self.messages.len()];
        let mut words = 0;
        let mut narrow = |postings: &mut dyn Iterator<Item = &Posting>| {
            for posting in postings {
                let count = &mut counts[posting.document()];
                if *count == words {
                    *count += 1;
                }
            }
            words += 1;
        };
        query.each_key(&mut |key| narrow(&mut self.words.postings(key).iter()));
        if let Some(begun) = &query.begun {
            let words = self.words.words_with_prefix(begun);
            narrow(&mut words.flat_map(|(_, postings)| postings));
        }
        let numbers = counts.iter().enumerate();
        let numbers = numbers.filter(|(_, count)| **count == words);
        let mut found: Vec<SearchHit> = numbers
            .map(|(number, _)| (number, self.messages[number]))
            .filter(|(number, hit)| self.numbers.get(&(hit.chat, hit.message)) == Some(number))
            .map(|(_, hit)| hit)
            .collect();
        found.sort_by_key(|found| std::cmp::Reverse(found.created));
        if query.needs_text() {
            found.retain(|found| text(found).is_some_and(|text| query.has_runs(&text)));
        }
        found
    }
}
