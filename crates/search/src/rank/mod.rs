//! Ranks messages against terms. The recall and the offer both stand on it.
//!
//! `scope` has the messages that are ranked, with their neighbours and sittings, `time_words` tells whether a
//! message says when and a question asks for it, `score` computes.

mod scope;
mod score;
mod time_words;

pub use scope::RecallScope;
pub(crate) use score::{MessageScore, QueryTerm, Variant, rarity};
pub(crate) use time_words::{asks_when, says_when};

#[cfg(test)]
mod tests;
