//! What the model sees. [`select`] is the one function that decides it: the transcript draws its
//! [`Window`], the composer's foot counts it, the request carries it and the receipt records it.
//! There is no second place that counts messages.

mod estimate;
mod select;

pub use estimate::{estimate_message, estimate_text};
pub use select::{Entry, Reason, Window, select};
