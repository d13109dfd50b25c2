//! The messages of a log, and which of them fit a prompt.

use super::asked::asked;
use super::fit::{fit, possible_score};
use super::query::RecallQuery;
use crate::rank::{Entry, LogIndex, Weights};
use sash_chat::Id;

/// A message to add, with what else may be known of it.
#[derive(Clone, Copy, Debug)]
pub struct NewMessage<'a> {
    /// Its chat.
    pub chat: Id,
    /// Its id.
    pub message: Id,
    /// Its text.
    pub text: &'a str,
    /// The name of who wrote it; empty where roles say nothing.
    pub speaker: &'a str,
    /// When, in local milliseconds since 1970; `None` if unknown.
    pub created_ms: Option<u64>,
    /// Whether a sitting begins here, however short the pause.
    pub begins_sitting: bool,
}

/// A prompt, and when it is written.
#[derive(Clone, Copy, Debug)]
pub struct RecallPrompt<'a> {
    /// Its text.
    pub text: &'a str,
    /// The time, in local milliseconds since 1970, from which *yesterday* and the like are counted; without it they are
    /// words like others.
    pub now_ms: Option<u64>,
}

impl<'a> From<&'a str> for RecallPrompt<'a> {
    fn from(text: &'a str) -> Self {
        Self { text, now_ms: None }
    }
}

impl<'a> From<&'a String> for RecallPrompt<'a> {
    fn from(text: &'a String) -> Self {
        Self::from(text.as_str())
    }
}

/// A message with its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// Its chat.
    pub chat: Id,
    /// The message.
    pub message: Id,
    /// Its score as a share of that of a message with all words of the prompt; at least 0, and more than 1 where its
    /// context has them too.
    pub score: f32,
}

/// A message that fits a prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Recalled {
    /// Its chat.
    pub chat: Id,
    /// The message.
    pub message: Id,
    /// Its score; see [`Ranked::score`].
    pub score: f32,
    /// The words of the prompt that it has, as written; none where it is found by its neighbours or by related words.
    pub words: Vec<String>,
}

/// The words of the messages of one or many chats, oldest first within each chat; chats may alternate. No text is
/// copied.
///
/// Messages cannot be changed. What must not be recalled (muted, in the window) is kept out by `may` when asking, and a
/// branch that is another one is indexed anew.
#[derive(Default)]
pub struct RecallIndex {
    pub(crate) log: LogIndex,
}

impl RecallIndex {
    /// An empty index.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many messages it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.log.len()
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.log.len() == 0
    }

    /// Adds a chat's next message; the cost depends on its own words only. `created_ms` says when it was written, in
    /// milliseconds since 1970 of the reader's local time. After a pause of an hour a new sitting begins.
    pub fn add(&mut self, chat: Id, message: Id, text: &str, created_ms: u64) {
        self.add_message(NewMessage {
            chat,
            message,
            text,
            speaker: "",
            created_ms: Some(created_ms),
            begins_sitting: false,
        });
    }

    /// Adds a chat's next message, with its speaker's name and the limits of its sitting.
    pub fn add_message(&mut self, new: NewMessage<'_>) {
        self.log.add(Entry {
            chat: new.chat,
            message: new.message,
            speaker: new.speaker,
            text: new.text,
            created_ms: new.created_ms,
            begins: new.begins_sitting,
        });
    }

    /// Keeps the messages that pass `keep` (chat, message). Of the others no word stays.
    pub fn retain(&mut self, keep: &dyn Fn(Id, Id) -> bool) {
        self.log.retain(keep);
    }

    #[cfg(test)]
    pub(crate) fn holds(&self, word: &str) -> bool {
        self.log.terms.with_prefix(word).count() > 0
    }

    /// All messages with their scores, best first, equals in the order in which they were added: the ranking without
    /// the threshold, to be measured.
    #[must_use]
    pub fn rank<'a>(
        &self,
        prompt: impl Into<RecallPrompt<'a>>,
        may: &dyn Fn(Id, Id) -> bool,
    ) -> Vec<Ranked> {
        self.rank_with(prompt.into(), may, &Weights::RECALL)
    }

    /// The messages that fit the prompt, best first, at most 50; none where nothing fits.
    ///
    /// The first 64 different words of the prompt are read. Only messages that pass `may` (chat, message) are
    /// returned; the others still count as context of their neighbours.
    #[must_use]
    pub fn recall<'a>(
        &self,
        prompt: impl Into<RecallPrompt<'a>>,
        may: &dyn Fn(Id, Id) -> bool,
    ) -> Vec<Recalled> {
        let RecallPrompt {
            text: prompt,
            now_ms,
        } = prompt.into();
        let query = RecallQuery::read(prompt, now_ms, &self.log, &Weights::RECALL);
        let scores = self
            .log
            .score(&query.terms, asked(prompt), &Weights::RECALL);
        let possible = possible_score(&query, &scores);
        let fit = fit(&self.log, &query, &scores, possible, may);
        let mut found = Vec::new();
        for at in fit {
            let message = &self.log.messages[at];
            let mut words = Vec::new();
            for (bit, word) in query.words.iter().enumerate() {
                if scores[at].holds >> bit & 1 == 1 {
                    words.push(prompt[word.at.clone()].to_owned());
                }
            }
            found.push(Recalled {
                chat: message.chat,
                message: message.id,
                score: scores[at].score / possible,
                words,
            });
        }
        found
    }

    /// The ranking by BM25 alone, as a point of reference.
    #[must_use]
    pub fn rank_plain<'a>(
        &self,
        prompt: impl Into<RecallPrompt<'a>>,
        may: &dyn Fn(Id, Id) -> bool,
    ) -> Vec<Ranked> {
        self.rank_with(prompt.into(), may, &Weights::PLAIN)
    }

    fn rank_with(
        &self,
        prompt: RecallPrompt<'_>,
        may: &dyn Fn(Id, Id) -> bool,
        weights: &Weights,
    ) -> Vec<Ranked> {
        let RecallPrompt {
            text: prompt,
            now_ms,
        } = prompt;
        let query = RecallQuery::read(prompt, now_ms, &self.log, weights);
        let scores = self.log.score(&query.terms, asked(prompt), weights);
        let possible = possible_score(&query, &scores);
        let mut ranked: Vec<Ranked> = Vec::new();
        for (message, score) in self.log.messages.iter().zip(&scores) {
            if may(message.chat, message.id) {
                ranked.push(Ranked {
                    chat: message.chat,
                    message: message.id,
                    score: score.score / possible,
                });
            }
        }
        // The sort is stable.
        ranked.sort_by(|one, other| other.score.total_cmp(&one.score));
        ranked
    }
}
