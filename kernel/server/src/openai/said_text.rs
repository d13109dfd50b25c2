//! The text that an answer has said so far, so that a server that sends the whole text behind its pieces does not double it.

use crate::engine::joiner::{TextJoiner, join_whole};

/// One text of an answer: the thinking, or the answer itself.
#[derive(Debug, Default)]
pub struct SaidText {
    said: String,
    /// How many pieces it came in.
    pieces: usize,
    joiner: TextJoiner,
}

impl SaidText {
    /// Adds a piece; returns what is news.
    pub fn push(&mut self, piece: &str, mark: Option<char>) -> String {
        let news = self.joiner.push(piece, mark);
        self.pieces += usize::from(!piece.is_empty());
        self.said += &news;
        news
    }

    /// Adds what may be the whole text again, or, if `may_end`, the last part of it; returns what is news.
    pub fn push_whole(&mut self, whole: &str, mark: Option<char>, may_end: bool) -> String {
        let whole = join_whole(whole, mark);
        let news = match whole.strip_prefix(&self.said) {
            Some(rest) => {
                // The rest has the character that was cut.
                self.joiner.finish();
                rest.to_owned()
            }
            None if whole.trim() == self.said.trim() => String::new(),
            None if may_end && self.said.trim_end().ends_with(whole.trim()) => String::new(),
            None => self.joiner.finish() + &whole,
        };
        self.said += &news;
        news
    }

    /// How many pieces came.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// How many bytes they have.
    #[must_use]
    pub fn len(&self) -> usize {
        self.said.len()
    }

    /// Returns the half of a character that still waits.
    pub fn finish(&mut self) -> String {
        self.joiner.finish()
    }
}
