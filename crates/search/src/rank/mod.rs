//! Ranks messages against terms. The recall and the offer both stand on it.
//!
//! `index` counts the terms of messages and sittings, `traits` notes what kind of text a message is, `score`
//! computes.

mod index;
mod score;
mod traits;

pub use index::RecallIndex;
pub(crate) use index::speaker_term;
pub(crate) use score::{MessageScore, QueryTerm, Variant, rarity};
pub(crate) use traits::Traits;

#[cfg(test)]
mod tests;
