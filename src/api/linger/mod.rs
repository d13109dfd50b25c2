//! The calls about an answer that the server keeps while its page is gone.

mod kept;
mod resume;
mod stop;

pub use kept::{Kept, kept};
pub use resume::{Resume, resume};
pub use stop::{Stop, stop};
