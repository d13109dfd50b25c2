//! Small parts that several rooms use.

mod announcer;
mod banner;
mod icon;
mod toast;

pub use announcer::Announcer;
pub use banner::Banner;
pub use icon::{Icon, icon};
pub use toast::ToastLine;
