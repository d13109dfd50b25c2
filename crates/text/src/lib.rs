//! Functions on strings that belong to no subject. Plain data and functions.
//!
//! The tokenizer ([`segments`], [`each_word`]) splits a text into words, runs of scripts without spaces, and emoji;
//! [`fold`] makes forms that are compared; [`NameIndex`] finds short names as they are typed; [`fenced`] quotes a text so
//! that nothing in it ends the quote; [`TextLanguage`] and [`detect_language`] tell by its stop words which language a text is in.

mod blank;
mod emoji;
mod fence;
mod fold;
mod language;
mod lines;
mod names;
mod words;

pub use blank::is_blank;
pub use emoji::each_emoji_form;
pub use fence::{FENCE_SIGNS, fence, fenced};
pub use fold::fold;
pub use language::{LANGUAGES, TextLanguage, detect_language, is_stop_word};
pub use lines::{count_lines, shown_lines};
pub use names::NameIndex;
pub use words::{SegmentKind, each_part, each_word, lower_case, segments};
