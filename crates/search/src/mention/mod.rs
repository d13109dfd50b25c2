//! "The model can't see that": while a prompt is typed, its words are compared with the messages outside the
//! window, and a message that it clearly refers to can be offered. The comparison uses words alone: no model,
//! no network. A wrong offer is worse than a missed one, because people switch off a page that nags; so
//! [`RecallScope::mentioned`](crate::recall::RecallScope::mentioned) returns nothing in doubt.
//!
//! The crate's `terms` splits texts into words, its `rank` keeps counts and ranks (BM25 with neighbours and
//! sittings), as for [`crate::recall`]; `draft` analyses the draft, `offer` decides.

mod draft;
mod offer;

#[cfg(test)]
mod tests;

pub use offer::Mention;
