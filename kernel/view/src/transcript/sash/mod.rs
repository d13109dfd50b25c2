//! The sash: the marks of the messages in the margin of the transcript, and the handle at the upper edge of
//! the window. `window::select` determines the window; this module draws and moves it.
//!
//! The DOM is changed directly while the handle is dragged ([`drag`]).

mod drag;
mod handle;
mod line;
mod marks;
mod stops;
#[cfg(test)]
mod tests;

pub use line::Sash;
pub use marks::{Mark, Marks};
