//! Answer text to blocks, and blocks to a closed set of nodes, a block at a time while it streams.
//!
//! | file | what it is for |
//! | --- | --- |
//! | `document` | [`Document`]: freezes finished blocks and parses only the open tail |
//! | `limit` | how much of an answer is parsed |
//! | `cut` | where a growing text can be cut for good |
//! | `code` | code that grows by what came, and long code in pieces |
//! | `grow` | what is open at the end taken further by what came: code, tables, lists |
//! | `parse` | what is parsed, and with which options |
//! | `model` | what a parse is given and what it gives |
//! | `reference` | labels, and the definitions that have come |
//! | `bounds` | how much of each thing an answer may have |
//! | `fence` | what opens a fence of code, and what closes it |
//! | `lines` | the last line, and the marks that one begins with |
//! | `parts` | a table or a list that grows by its rows or items |
//! | `builder` | the parser's events to nodes |
//! | `advance` | how much of a long block is shown next |
//! | `direction` | the direction of a block, by its first letter |
//! | `node` | [`Node`] and [`Tag`]: the closed set that the page can show |
//! | `link` | which destinations may become links, and bare addresses in text |
//! | `formula` | formulas, kept out of the Markdown parser's hands and found again |
//! | `hidden` | bidi controls and tag characters made visible |
//! | [`mathml`] | formulas in TeX to a closed set of MathML elements |
//! | `language` | the languages of code blocks: names, and endings of their files |
//! | `work` | the steps of searches, counted in tests |
//! | `words` | marks cut out of text, the language of a fence |
//! | `settle` | the last lines that are held back until it is clear what they are |
//! | `finish` | half-written emphasis, code and links, shown as they will be |
//!
//! Model output is data: there is no HTML here, neither in nor out. Raw HTML is text (only `<br>`
//! in a table cell breaks the line, there being no other way to write that), images are chips.

mod advance;
mod bounds;
mod builder;
mod code;
mod cut;
mod direction;
mod document;
mod fence;
mod finish;
mod formula;
mod grow;
mod hidden;
mod language;
mod limit;
mod lines;
mod link;
pub mod mathml;
mod model;
mod node;
mod parse;
mod parts;
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
pub use language::{Language, languages, named};
pub use limit::{MAX_BYTES, MAX_SIGNS};
pub use link::Destination;
pub use node::{Align, Node, Note, Tag, plain};
