//! Search over all messages of all chats while typing: every word must occur, the last one may be a prefix;
//! the newest messages come first. Ignores case and, where that is cheap, accents. Plain data and functions;
//! the caller provides the texts.
//!
//! Beside it are [`mention`], which message a draft clearly refers to, and [`recall`], which messages fit a prompt.
//! All ask one index, [`MessageIndex`], and use one tokenizer (`sash_text`). `inverted` keeps words in a sorted map, so
//! that all words with one prefix are adjacent, with the messages that contain them. Scripts without spaces between words
//! (Chinese, Japanese, Thai and similar) are indexed as pairs of neighbouring characters, and an emoji is
//! one word. The search finds words as they are written; mention and recall compare stems (`terms`) and rank with one set
//! of weights (`rank`), among the messages of a [`RecallScope`](recall::RecallScope): a branch, or all. [`vectors`] ranks by
//! an embedding model's vectors instead, and joins two rankings. [`AllChatsIndex`] keeps the index in step with the log.

mod all_chats;
mod index;
mod inverted;
pub mod mention;
mod query;
mod rank;
pub mod recall;
mod snippet;
mod terms;
#[cfg(test)]
mod tests;
pub mod vectors;

pub use all_chats::AllChatsIndex;
pub use index::{MessageIndex, SearchHit};
pub use query::SearchQuery;
pub use snippet::Snippet;
pub use terms::date::written_out;
