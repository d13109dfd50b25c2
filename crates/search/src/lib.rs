//! Finding a message among all messages of all chats, as one types: every word must occur, the last one may
//! be only begun; the newest come first. Without regard to case and, where that is cheap, to accents. Plain
//! data and plain functions; who asks brings the texts.
//!
//! Words are kept in one sorted map, so that all words of one beginning stand together. Scripts without
//! blanks between words (Chinese, Japanese, Thai and their like) are kept as pairs of neighbouring characters.

mod fold;
mod index;
pub mod mention;
mod query;
mod snippet;
#[cfg(test)]
mod tests;
mod words;

pub use index::{Found, Index};
pub use query::Query;
pub use snippet::Snippet;
