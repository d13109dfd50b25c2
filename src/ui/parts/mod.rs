//! Small parts that several rooms use.

mod announcer;
mod banner;
mod icon;
mod menu;
mod storage_line;
mod toast;

pub use announcer::announcer;
pub use banner::banner;
pub use icon::{Icon, icon, icon_button, mark};
pub use menu::{Entry, menu_button};
pub use toast::toast_line;
