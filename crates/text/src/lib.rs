//! Functions on strings that belong to no subject. Plain data and functions, without dependencies.
//!
//! The tokenizer ([`segments`], [`each_word`]) splits a text into words, runs of scripts without spaces, and emoji;
//! [`fold`] makes forms that are compared; [`NameIndex`] finds short names as they are typed; [`fenced`] quotes a text so
//! that nothing in it ends the quote.

mod blank;
mod emoji;
mod fence;
mod fold;
mod lines;
mod names;
mod words;

pub use blank::is_blank;
pub use emoji::each_emoji_form;
pub use fence::{FENCE_SIGNS, fence, fenced};
pub use fold::fold;
pub use lines::{count_lines, shown_lines};
pub use names::NameIndex;
pub use words::{SegmentKind, each_part, each_word, segments};
