//! Small components that several parts of the page use.

mod announcer;
mod banner;
mod dialog;
mod focused_button;
mod growing_text;
mod icon;
mod icon_button;
mod icon_name;
mod mark;
mod menu;
mod menu_item;
mod menu_keys;
mod menu_list;
mod number;
mod page_dialog;
mod storage_line;
mod toast;
mod toaster;
mod use_modal;

pub use announcer::Announcer;
pub use banner::Banner;
pub use dialog::Dialog;
pub use focused_button::FocusedButton;
pub use growing_text::GrowingText;
pub use icon::Icon;
pub use icon_button::IconButton;
pub use icon_name::IconName;
pub use mark::Mark;
pub use menu::Menu;
pub use menu_item::MenuItem;
pub use number::{byte_size, grouped, plural, time_left};
pub use page_dialog::PageDialog;
pub use toast::Toast;
pub use toaster::Toaster;
pub use use_modal::{on_closed, use_modal};
