//! Ranks messages against terms. The recall and the offer both stand on it.
//!
//! `scope` has the messages that are ranked, with their neighbours and sittings, `score` computes.

mod scope;
mod score;

pub use scope::{RecallScope, SITTING_GAP_MS};
pub(crate) use score::{MessageScore, QueryTerm, Variant, rarity};

#[cfg(test)]
mod tests;
