//! "The model can't see that": while a prompt is typed, its words are compared with the messages outside the
//! window, and a message that it clearly refers to can be offered. The comparison uses words alone: no model,
//! no network. A wrong offer is worse than a missed one, because people switch off a page that nags; so
//! [`MentionIndex::mentioned`] returns nothing in doubt.
//!
//! `words` splits a text into words, `date` adds the date as words of a sitting, `index` keeps counts,
//! `score` ranks (BM25 with neighbours and sittings), `draft` analyses the draft, `offer` decides.

mod date;
mod draft;
mod index;
mod offer;
mod recall;
mod score;
mod words;

#[cfg(test)]
mod tests;

pub use date::written_out;
pub use index::MentionIndex;
pub use offer::Mention;
pub use recall::Recalled;
