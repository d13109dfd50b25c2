//! The sash: what the margin of the transcript says about each message, and the handle at the upper edge of
//! the window. The window itself is `window::select`'s; here it is drawn and moved, never counted.

mod drag;
mod edge;
mod handle;
mod marks;

pub use handle::sash;
pub use marks::{Mark, Marks};
