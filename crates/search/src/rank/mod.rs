//! Ranks messages against terms. The recall and the offer both stand on it.
//!
//! `index` counts the terms of messages and sittings, `time_words` tells whether a
//! message says when and a question asks for it, `score` computes.

mod index;
mod score;
mod time_words;

pub use index::RecallIndex;
pub(crate) use index::speaker_term;
pub(crate) use score::{MessageScore, QueryTerm, Variant, rarity};
pub(crate) use time_words::asks_when;

#[cfg(test)]
mod tests;
