//! The virtual list of the transcript: of a long chat only the rows near the screen are on the page. Above
//! and below, empty spaces have the height of the unmounted rows. A row in use (with focus, part of the
//! selection, an open field or receipt, or a running answer) stays mounted.
//!
//! While rows above are mounted, unmounted and measured, the browser keeps the reader's position
//! (`overflow-anchor`); [`Virtualizer`] does so in browsers without scroll anchoring.
//!
//! The DOM is changed directly: rows are measured, placed and spaced within one frame.

mod heights;
mod layout;
mod list;
mod mounted;
mod print;
#[cfg(test)]
mod tests;
mod virtualizer;

pub use list::VirtualList;
pub use virtualizer::Virtualizer;
