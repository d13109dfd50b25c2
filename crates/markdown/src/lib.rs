//! Parses the text of an answer into blocks, and blocks into a closed set of nodes, incrementally while it
//! streams.
//!
//! | file | what it is for |
//! | --- | --- |
//! | `document` | [`Document`]: freezes finished blocks and parses only the open tail |
//! | `limit` | how much of an answer is parsed |
//! | `cut` | where a growing text can be cut so that later text changes nothing before |
//! | `cell` | lists in HTML within a table's cell |
//! | `code` | code that grows in place, and long code in pieces |
//! | `grow` | open blocks at the end that grow in place: code, paragraphs, tables, lists |
//! | `parse` | one run of the parser and its options |
//! | `model` | input and output of a parse |
//! | `reference` | labels, and the definitions received so far |
//! | `bounds` | upper bounds on the elements of an answer |
//! | `flanking` | emphasis beside Chinese, Japanese and Korean text |
//! | `fence` | opening and closing lines of code fences |
//! | `nested` | fences within a block of Markdown |
//! | `lines` | the last line, and the markers that a line begins with |
//! | `parts` | a table or a list that grows by its rows or items |
//! | `builder` | builds nodes from the parser's events |
//! | `advance` | how much of a long block is shown next |
//! | `direction` | the direction of a block, from its first letter |
//! | `node` | [`Node`] and [`Tag`]: the closed set that the page can show |
//! | `link` | which destinations may become links, and bare addresses in text |
//! | `formula` | formulas, masked for the Markdown parser and restored after it |
//! | `hidden` | bidi controls and tag characters made visible |
//! | [`mathml`] | formulas in TeX to a closed set of MathML elements |
//! | `html` | an answer as HTML, for a file that is read without Sash |
//! | `plain_text` | an answer without its marks, for a line of a list |
//! | `language` | the languages of code blocks: names and file extensions |
//! | `work` | the steps of searches, counted in tests |
//! | `words` | text split at hidden characters, the language of a fence |
//! | `settle` | the last lines, held back until their meaning is clear |
//! | `finish` | unfinished emphasis, code and links, completed for display |
//!
//! Model output is data: HTML is never interpreted, and produced by `html` alone, for files. Raw HTML is shown as text (except `<br>`
//! and lists in a table cell, where HTML is the only way to write them), and images are shown as chips.

mod advance;
mod bounds;
mod builder;
mod cell;
mod code;
mod cut;
mod direction;
mod document;
mod fence;
mod finish;
mod flanking;
mod formula;
mod grow;
mod hidden;
mod html;
mod language;
mod limit;
mod lines;
mod link;
pub mod mathml;
mod model;
mod nested;
mod node;
mod outline;
mod parse;
mod parts;
mod plain_text;
mod prose;
mod reference;
mod settle;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
mod words;
mod work;

pub use advance::advance;
pub use bounds::{MAX_CELLS, MAX_COLUMNS, MAX_DEPTH, MAX_LINKS, MAX_PIECES, MAX_ROWS};
pub use code::PIECE;
pub use direction::direction;
pub use document::{Block, Document};
pub use formula::tex;
pub use hidden::{describe, visible};
pub use html::{CodeColors, code_blocks, escape, html};
pub use language::{CodeLanguage, languages, named};
pub use limit::{MAX_BYTES, MAX_SIGNS};
pub use link::Destination;
pub use node::{Align, Node, RendererNote, Tag, plain};
pub use outline::Outline;
pub use plain_text::plain_text;
