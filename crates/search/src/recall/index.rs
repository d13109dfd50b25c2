//! The messages that fit a prompt.

use super::fit::{fit, possible_score};
use super::query::RecallQuery;
use crate::rank::{MessageScore, RecallScope};
use crate::terms::time_words::asks_when;
use sash_chat::Id;

/// A prompt, and when it is written.
#[derive(Clone, Copy, Debug)]
pub struct RecallPrompt<'a> {
    /// Its text.
    pub text: &'a str,
    /// The time, in local milliseconds since 1970, from which *yesterday* and the like are counted; without it they are
    /// words like others.
    pub now_ms: Option<u64>,
}

impl<'a, T: AsRef<str> + ?Sized> From<&'a T> for RecallPrompt<'a> {
    fn from(text: &'a T) -> Self {
        let text = text.as_ref();
        Self { text, now_ms: None }
    }
}

/// A message that fits a prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Recalled {
    /// Its chat.
    pub chat: Id,
    /// The message.
    pub message: Id,
    /// Its score as a share of that of a message with all words of the prompt; at least 0, and more than 1 where its
    /// context has them too.
    pub score: f32,
    /// The words of the prompt that it has, as written; none where it is found by its neighbours or by related words.
    pub words: Vec<String>,
}

impl RecallScope<'_> {
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
        self.choose(prompt.into(), |query, scores, possible| {
            fit(self, query, scores, possible, may)
        })
    }

    /// All messages, best first, equals in their order: the ranking without the threshold, to be
    /// measured.
    #[must_use]
    pub fn rank<'a>(
        &self,
        prompt: impl Into<RecallPrompt<'a>>,
        may: &dyn Fn(Id, Id) -> bool,
    ) -> Vec<Recalled> {
        self.choose(prompt.into(), |_, scores, _| {
            let places = self.messages.iter().enumerate();
            let places = places.filter(|(_, message)| may(message.chat, message.id));
            let mut order: Vec<usize> = places.map(|(at, _)| at).collect();
            // The sort is stable.
            order.sort_by(|one, other| scores[*other].score.total_cmp(&scores[*one].score));
            order
        })
    }

    /// Scores all messages, and has `choose` say which of them are returned, in which order.
    fn choose(
        &self,
        prompt: RecallPrompt<'_>,
        choose: impl FnOnce(&RecallQuery, &[MessageScore], f32) -> Vec<usize>,
    ) -> Vec<Recalled> {
        let RecallPrompt { text, now_ms } = prompt;
        let query = RecallQuery::read(text, now_ms, self);
        let scores = self.score(&query.terms, asks_when(text));
        let possible = possible_score(&query, &scores);
        let chosen = choose(&query, &scores, possible).into_iter();
        let recalled = chosen.map(|at| {
            let words = query.words.iter().enumerate();
            let held = words.filter(|(bit, _)| scores[at].holds >> bit & 1 == 1);
            Recalled {
                chat: self.messages[at].chat,
                message: self.messages[at].id,
                score: scores[at].score / possible,
                words: held
                    .map(|(_, word)| text[word.at.clone()].to_owned())
                    .collect(),
            }
        });
        recalled.collect()
    }
}
