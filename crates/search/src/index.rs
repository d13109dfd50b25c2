//! The messages of all chats: which of them contain the words of a query, and in which something is recalled or offered.

use super::SearchQuery;
use super::inverted::{InvertedIndex, MAX_DOCUMENTS, Posting};
use super::terms::date::{date, day_term, written_out};
use super::terms::time_words::says_when;
use super::terms::{StemCache, each_term};
use sash_chat::{Id, Message};
use sash_text::{SegmentKind, TextLanguage, each_emoji_form, each_part, each_word};
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

/// A message that may be sent, as it is ranked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Utterance {
    /// Its place in its chat.
    pub(crate) seq: u32,
    /// The number of its terms.
    pub(crate) words: u32,
    /// Whether it asks something.
    pub(crate) is_question: bool,
    pub(crate) says_when: bool,
}

/// A message of the index, or the title of a chat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexedMessage {
    pub(crate) hit: SearchHit,
    /// `None` for what is sent to no model: a title, a message without text.
    pub(crate) utterance: Option<Utterance>,
}

/// The words of all messages, in any order. No text is copied.
#[derive(Debug, Default)]
pub struct MessageIndex {
    /// The words as they are written, which the search finds.
    words: InvertedIndex,
    /// The terms of what may be sent, which recall and offers compare.
    pub(crate) terms: InvertedIndex,
    /// The messages, by their number; those removed since [`Self::sweep`] too.
    pub(crate) messages: Vec<IndexedMessage>,
    /// The number of each message, by id.
    pub(crate) numbers: BTreeMap<(Id, Option<Id>), usize>,
    /// The language of the message of each chat that came last.
    languages: BTreeMap<Id, TextLanguage>,
    stems: StemCache,
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

    /// The messages of a chat that it holds, and `None` for its title.
    pub(crate) fn messages_of(&self, chat: Id) -> impl Iterator<Item = Option<Id>> {
        let of_chat = self.numbers.range((chat, None)..);
        let of_chat = of_chat.take_while(move |((of, _), _)| *of == chat);
        of_chat.map(|((_, message), _)| *message)
    }

    /// Adds a message, and replaces an earlier text with the same id. `utc_offset` is the reader's, in milliseconds: it
    /// tells the day of the message, by which it is recalled, too. A message is in the language that its stop words show,
    /// else in that of the message before.
    pub fn add(&mut self, chat: Id, message: &Message, utc_offset: i64) {
        self.add_said_by("", chat, message, utc_offset);
    }

    /// Adds a message whose speaker has a name, which counts as words of it; empty where roles say nothing.
    pub fn add_said_by(&mut self, speaker: &str, chat: Id, message: &Message, utc_offset: i64) {
        let text = &message.content;
        let Some(number) = self.add_words(chat, Some(message.id), message.created, text) else {
            return;
        };
        if message.is_sendable() {
            let local_ms = message.created.saturating_add_signed(utc_offset);
            let words = self.add_terms(number, speaker, text, local_ms);
            self.messages[number].utterance = Some(Utterance {
                seq: message.seq,
                words,
                is_question: text.contains(['?', '？']),
                says_when: says_when(text),
            });
        }
    }

    /// Adds the title of a chat, and replaces an earlier one.
    pub fn add_title(&mut self, chat: Id, created: u64, title: &str) {
        self.add_words(chat, None, created, title);
    }

    /// Adds the words as they are written. Returns the number of the message; `None` when the index is full, which a log
    /// with room for some ten thousand messages does not reach.
    fn add_words(
        &mut self,
        chat: Id,
        message: Option<Id>,
        created: u64,
        text: &str,
    ) -> Option<usize> {
        self.remove(chat, message);
        let number = self.messages.len();
        if number >= MAX_DOCUMENTS {
            return None;
        }
        let words = &mut self.words;
        each_word(text, &mut |kind, word, _| match kind {
            SegmentKind::Word => words.count(number, word),
            SegmentKind::Run => each_part(word, &mut |part| words.count(number, part)),
            SegmentKind::Emoji => each_emoji_form(word, &mut |form| words.count(number, form)),
        });
        self.messages.push(IndexedMessage {
            hit: SearchHit {
                chat,
                message,
                created,
            },
            utterance: None,
        });
        self.numbers.insert((chat, message), number);
        Some(number)
    }

    /// Adds the terms of a message, of its speaker and of its day. Returns how many they are.
    fn add_terms(&mut self, number: usize, speaker: &str, text: &str, local_ms: u64) -> u32 {
        let chat = self.messages[number].hit.chat;
        let language = TextLanguage::of(text, self.languages.get(&chat).copied());
        self.languages.insert(chat, language);
        let mut count = 0;
        each_term(speaker, language, &mut self.stems, &mut |term, _| {
            count += 1;
            self.terms.count(number, &speaker_term(term));
        });
        let day = written_out(local_ms).unwrap_or_default();
        for text in [text, &day] {
            each_term(text, language, &mut self.stems, &mut |term, _| {
                count += 1;
                self.terms.count(number, term);
            });
        }
        // The day, for prompts that name it, does not make the message longer.
        if let Some(day) = date(local_ms) {
            self.terms.count(number, &day_term(day));
        }
        count
    }

    /// Removes a message, or with `None` the title of a chat. Its words stay until [`Self::sweep`].
    pub fn remove(&mut self, chat: Id, message: Option<Id>) {
        self.numbers.remove(&(chat, message));
    }

    /// Whether it has words of what was removed.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.numbers.len() < self.messages.len()
    }

    /// Removes the words of what was removed.
    pub fn sweep(&mut self) {
        let mut kept = 0;
        let renumbered = (0..self.messages.len()).map(|number| {
            self.is_current(number).then(|| {
                kept += 1;
                kept - 1
            })
        });
        let renumbered: Vec<Option<u32>> = renumbered.collect();
        self.words.renumber(&renumbered);
        self.terms.renumber(&renumbered);
        self.stems = StemCache::default();
        let mut new = renumbered.iter();
        self.messages
            .retain(|_| new.next().is_some_and(Option::is_some));
        for number in self.numbers.values_mut() {
            *number = renumbered[*number].map_or(*number, |new| new as usize);
        }
    }

    /// Whether a message was neither removed nor replaced.
    fn is_current(&self, number: usize) -> bool {
        let hit = &self.messages[number].hit;
        self.numbers.get(&(hit.chat, hit.message)) == Some(&number)
    }

    #[cfg(test)]
    pub(crate) fn holds(&self, word: &str) -> bool {
        !self.words.postings(word).is_empty() || self.terms.words_with_prefix(word).count() > 0
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
            .filter(|(number, _)| self.is_current(*number))
            .map(|(number, _)| self.messages[number].hit)
            .collect();
        found.sort_by_key(|found| std::cmp::Reverse(found.created));
        if query.needs_text() {
            found.retain(|found| text(found).is_some_and(|text| query.has_runs(&text)));
        }
        found
    }
}

/// The term for a speaker's name, which is another one than the name in a text: who is spoken to does not speak.
pub(crate) fn speaker_term(name: &str) -> String {
    format!("@{name}")
}
