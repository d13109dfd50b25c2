//! The terms of messages of one or several chats, counted as they come.

use super::time_words::says_when;
use crate::inverted::InvertedIndex;
use crate::terms::date::{date, day_term, written_out};
use crate::terms::{StemCache, each_term};
use sash_chat::Id;
use sash_text::Language;
use std::collections::BTreeMap;

/// The pause that ends a sitting, in milliseconds: an hour.
const SITTING_GAP_MS: u64 = 3_600_000;

/// A message in the index.
#[derive(Clone, Copy)]
pub(crate) struct LoggedMessage {
    pub(crate) chat: Id,
    pub(crate) id: Id,
    /// The number of its terms.
    pub(crate) words: u32,
    pub(crate) sitting: u32,
    /// The neighbours in its sitting.
    pub(crate) before: Option<u32>,
    pub(crate) after: Option<u32>,
    /// Whether it asks something.
    pub(crate) is_question: bool,
    pub(crate) says_when: bool,
}

/// Where a chat ended so far.
struct ChatEnd {
    message: u32,
    sitting: u32,
    newest_ms: u64,
    date: String,
    language: Language,
}

/// The words of the messages of one or many chats, oldest first within each chat; chats may alternate. No text is
/// copied.
///
/// Messages cannot be changed. What must not be recalled (muted, in the window) is kept out by `may` when asking, and a
/// branch that is another one is indexed anew.
#[derive(Default)]
pub struct RecallIndex {
    /// The terms of each message, by its place in `messages`.
    pub(crate) terms: InvertedIndex,
    pub(crate) messages: Vec<LoggedMessage>,
    /// The number of terms of each sitting.
    pub(crate) sittings: Vec<u32>,
    /// The number of terms of all messages.
    pub(crate) words: u32,
    ends: BTreeMap<Id, ChatEnd>,
    stems: StemCache,
}

impl RecallIndex {
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

    /// Adds a chat's next message; the cost depends on its own words only. `created_ms` says when it was written, in
    /// milliseconds since 1970 of the reader's local time. After a pause of an hour a new sitting begins. A message is in
    /// the language that its stop words show, else in that of the message before.
    pub fn add(&mut self, chat: Id, message: Id, text: &str, created_ms: u64) {
        self.add_said_by("", chat, message, text, created_ms);
    }

    /// Adds a message whose speaker has a name, which counts as words of it; empty where roles say nothing.
    pub fn add_said_by(
        &mut self,
        speaker: &str,
        chat: Id,
        message: Id,
        text: &str,
        created_ms: u64,
    ) {
        let Some(number) = self.terms.add_document() else {
            return;
        };
        let number = number as u32;
        let before = self.ends.remove(&chat);
        let language = Language::of(text, before.as_ref().map(|end| end.language));
        let same = before.filter(|end| created_ms < end.newest_ms.saturating_add(SITTING_GAP_MS));
        let neighbour = same.as_ref().map(|end| end.message);
        if let Some(before) = neighbour {
            self.messages[before as usize].after = Some(number);
        }
        let (sitting, day) = match same {
            Some(end) => (end.sitting, end.date),
            None => {
                self.sittings.push(0);
                let day = written_out(created_ms).unwrap_or_default();
                (self.sittings.len() as u32 - 1, day)
            }
        };
        let mut words = 0;
        each_term(speaker, language, &mut self.stems, &mut |term, _| {
            words += 1;
            self.terms.count(&speaker_term(term));
        });
        for text in [text, &day] {
            each_term(text, language, &mut self.stems, &mut |term, _| {
                words += 1;
                self.terms.count(term);
            });
        }
        // The day, for prompts that name it, does not make the message longer.
        if let Some(day) = date(created_ms) {
            self.terms.count(&day_term(day));
        }
        self.messages.push(LoggedMessage {
            chat,
            id: message,
            words,
            sitting,
            before: neighbour,
            after: None,
            is_question: text.contains(['?', '？']),
            says_when: says_when(text),
        });
        self.sittings[sitting as usize] += words;
        self.words = self.words.saturating_add(words);
        let end = ChatEnd {
            message: number,
            sitting,
            newest_ms: created_ms,
            date: day,
            language,
        };
        self.ends.insert(chat, end);
    }

    /// Keeps the messages that pass `keep` (chat, message). Of the others no word stays; their neighbours become
    /// neighbours of each other.
    pub fn retain(&mut self, keep: &dyn Fn(Id, Id) -> bool) {
        let former = std::mem::take(&mut self.messages);
        let numbers = self.terms.retain(|at| keep(former[at].chat, former[at].id));
        let nearest = |from: Option<u32>, next: fn(&LoggedMessage) -> Option<u32>| {
            let mut all = std::iter::successors(from, |at| next(&former[*at as usize]));
            all.find_map(|at| numbers[at as usize])
        };
        self.sittings.clear();
        self.words = 0;
        self.stems = StemCache::default();
        let mut sittings: BTreeMap<u32, u32> = BTreeMap::new();
        for (message, _) in former.iter().zip(&numbers).filter(|(_, new)| new.is_some()) {
            let next = self.sittings.len() as u32;
            let sitting = *sittings.entry(message.sitting).or_insert(next);
            if sitting == next {
                self.sittings.push(0);
            }
            self.sittings[sitting as usize] += message.words;
            self.words = self.words.saturating_add(message.words);
            self.messages.push(LoggedMessage {
                sitting,
                before: nearest(message.before, |message| message.before),
                after: nearest(message.after, |message| message.after),
                ..*message
            });
        }
        // A chat whose last sitting is gone begins a new one.
        self.ends.retain(|_, end| {
            let message = nearest(Some(end.message), |message| message.before);
            end.message = message.unwrap_or_default();
            end.sitting = sittings.get(&end.sitting).copied().unwrap_or_default();
            message.is_some()
        });
    }

    #[cfg(test)]
    pub(crate) fn holds(&self, word: &str) -> bool {
        self.terms.words_with_prefix(word).count() > 0
    }
}

/// The term for a speaker's name, which is another one than the name in a text: who is spoken to does not speak.
pub(crate) fn speaker_term(name: &str) -> String {
    format!("@{name}")
}
