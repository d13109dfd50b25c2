//! The sash: what the margin of the transcript says about each message, and the handle at the upper edge of the
//! window. The window itself is `window::select`'s; here it is drawn and moved, never counted.
//!
//! Elements are touched by hand where the handle is dragged ([`drag`]).

mod drag;
mod handle;
mod line;
mod marks;
mod stops;
#[cfg(test)]
mod tests;

pub use line::Sash;
pub use marks::{Mark, Marks};
