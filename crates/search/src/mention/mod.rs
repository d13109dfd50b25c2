//! "The model can't see that": while a prompt is typed, its words are compared with the messages that
//! stay outside the window, and the one it clearly refers to can be offered. Words alone decide: no
//! model, no network. A false offer is worse than a missed one, because a page that nags is switched
//! off; so [`Index::mentioned`] says nothing in doubt.
//!
//! `words` takes a text apart, `date` gives the date words of a sitting, `index` keeps counts,
//! `score` ranks (BM25 with neighbours and sittings), `draft` reads what is being typed, `offer` decides.

mod date;
mod draft;
mod index;
mod offer;
mod score;
mod words;

#[cfg(test)]
mod tests;

pub use index::Index;
pub use offer::Mention;
