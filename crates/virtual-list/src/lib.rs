//! A virtual list: of a long list only the rows near the screen are on the page. Above and below, empty spaces have the
//! height of the unmounted rows. A row in use (with focus, part of the selection, or as the page says) stays mounted.
//!
//! While rows above are mounted, unmounted and measured, the browser keeps the reader's position
//! (`overflow-anchor`); [`Virtualizer`] does so in browsers without scroll anchoring.
//!
//! The DOM is changed directly: rows are measured, placed and spaced within one frame.
//!
//! It knows no Sash, no message and no chat: what the rows are is a type of the page ([`ListRow`]).
#![cfg(target_arch = "wasm32")]

mod auto_scroll;
mod heights;
mod layout;
mod list;
mod list_row;
mod mounted;
mod print;
#[cfg(test)]
mod tests;
mod virtualizer;

pub use auto_scroll::AutoScroll;
pub use list::VirtualList;
pub use list_row::ListRow;
pub use virtualizer::Virtualizer;
