//! Counts of the terms of a log, updated as it grows. No text is copied.

use super::Traits;
use crate::inverted::InvertedIndex;
use crate::terms::date::{date, day_term, resolved, written_out};
use crate::terms::{StemCache, each_term};
use sash_chat::Id;
use sash_text::Language;
use std::collections::BTreeMap;

/// The pause that ends a sitting, in milliseconds: an hour.
const SITTING_GAP_MS: u64 = 3_600_000;

/// A message to add.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'a> {
    pub(crate) chat: Id,
    pub(crate) message: Id,
    /// The speaker's name, which counts as words of the message; empty where roles say nothing.
    pub(crate) speaker: &'a str,
    pub(crate) text: &'a str,
    /// Local milliseconds since 1970; `None` if unknown: such a message has no date words.
    pub(crate) created_ms: Option<u64>,
    /// Whether a sitting begins here, however short the pause.
    pub(crate) begins: bool,
}

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
    pub(crate) traits: Traits,
}

/// Where a chat ended so far.
struct ChatEnd {
    message: u32,
    sitting: u32,
    newest_ms: u64,
    date: String,
    language: Language,
}

/// The terms of messages of one or several chats. A chat's messages come oldest first; chats may alternate.
#[derive(Default)]
pub(crate) struct LogIndex {
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

impl LogIndex {
    /// Adds a chat's next message; the cost depends on its own words only. A message is in the language that its
    /// stop words show, else in that of the message before.
    pub(crate) fn add(&mut self, entry: Entry<'_>) {
        let Some(number) = self.terms.add_document() else {
            return;
        };
        let number = number as u32;
        let before = self.ends.remove(&entry.chat);
        let known = before.as_ref().map(|end| end.language);
        let language = Language::of(entry.text, known);
        let same = before.filter(|end| {
            let ended = |ms| ms >= end.newest_ms.saturating_add(SITTING_GAP_MS);
            !entry.begins && !entry.created_ms.is_some_and(ended)
        });
        let mut end = same.unwrap_or_else(|| {
            self.sittings.push(0);
            ChatEnd {
                message: number,
                sitting: self.sittings.len() as u32 - 1,
                newest_ms: 0,
                date: entry.created_ms.and_then(written_out).unwrap_or_default(),
                language,
            }
        });
        let neighbour = Some(end.message).filter(|before| *before != number);
        if let Some(before) = neighbour
            && let Some(before) = self.messages.get_mut(before as usize)
        {
            before.after = Some(number);
        }
        end.language = language;
        end.message = number;
        end.newest_ms = entry.created_ms.unwrap_or(end.newest_ms);
        let mut words = 0;
        let dates = entry.created_ms.map(|ms| resolved(entry.text, ms));
        each_term(entry.speaker, language, &mut self.stems, &mut |term, _| {
            words += 1;
            self.terms.count(&speaker_term(term));
        });
        for text in [entry.text, &end.date] {
            each_term(text, language, &mut self.stems, &mut |term, _| {
                words += 1;
                self.terms.count(term);
            });
        }
        // The day, for prompts that name it; no word of the message's length either.
        if let Some(day) = entry.created_ms.and_then(date) {
            self.terms.count(&day_term(day));
        }
        // Dates that were meant and not written do not make the message longer.
        let dates = dates.unwrap_or_default();
        each_term(
            &dates,
            Language::English,
            &mut self.stems,
            &mut |term, _| {
                self.terms.count(term);
            },
        );
        self.messages.push(LoggedMessage {
            chat: entry.chat,
            id: entry.message,
            words,
            sitting: end.sitting,
            before: neighbour,
            after: None,
            traits: Traits::of(entry.text),
        });
        self.sittings[end.sitting as usize] += words;
        self.words = self.words.saturating_add(words);
        self.ends.insert(entry.chat, end);
    }

    /// Keeps the messages that pass `keep` (chat, message). Of the others no word stays; their neighbours become
    /// neighbours of each other.
    pub(crate) fn retain(&mut self, keep: &dyn Fn(Id, Id) -> bool) {
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

    /// How many messages it holds.
    pub(crate) fn len(&self) -> usize {
        self.messages.len()
    }
}

/// The term for a speaker's name, which is another one than the name in a text: who is spoken to does not speak.
pub(crate) fn speaker_term(name: &str) -> String {
    format!("@{name}")
}
