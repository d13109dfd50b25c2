//! Ranks messages against terms. The recall and the offer both stand on it.
//!
//! `log` counts the terms of messages and sittings, `traits` notes what kind of text a message is, `weights` holds
//! the constants, `score` computes.

mod log;
mod score;
mod traits;
mod weights;

pub(crate) use log::{Entry, LogIndex, speaker_term};
pub(crate) use score::{MessageScore, QueryTerm, Variant, rarity};
pub(crate) use traits::Traits;
pub(crate) use weights::Weights;

#[cfg(test)]
mod tests;
