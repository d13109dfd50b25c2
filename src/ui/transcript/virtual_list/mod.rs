//! The virtual list of the transcript: of a long chat only the rows near the screen are on the page. Above and below,
//! an empty space is as high as the rows that are not there. A row that is being used - it has focus, part of the
//! selection, an open field or receipt, a running answer - stays wherever it is.
//!
//! The browser keeps the reader's place while rows above it come, go and take their measured height
//! (`overflow-anchor`); [`Virtualizer`] does it where the browser cannot.
//!
//! Elements are touched by hand here: rows are measured, placed and spaced within one frame.

mod heights;
mod layout;
mod list;
mod mounted;
#[cfg(test)]
mod tests;
mod virtualizer;

pub use list::VirtualList;
pub use virtualizer::Virtualizer;
