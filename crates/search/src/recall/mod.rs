//! Recall by words: which messages of a log fit a prompt, so that they can be sent with it although they left the
//! window.
//!
//! `query` reads the prompt and finds what stands for its words in the log, `participle` forms of German verbs, `days` the
//! days that are meant by words like *yesterday*, `fit` decides what is good enough.
//! [`interleave`] and [`join_near`] join rankings.

mod days;
mod fit;
mod index;
mod participle;
mod query;
mod ranking;

pub use crate::rank::{RecallScope, SITTING_GAP_MS};
pub use index::{RecallPrompt, Recalled};
pub use ranking::{interleave, join_near};

#[cfg(test)]
mod tests;
