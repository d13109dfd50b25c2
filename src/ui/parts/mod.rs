//! Small components that several parts of the page use.

mod announcer;
mod banner;
mod confirm_question;
mod copied;
mod dialog;
mod folded_text;
mod growing_text;
mod icon;
mod icon_button;
mod mark;
mod menu;
mod menu_item;
mod menu_keys;
mod menu_list;
mod page_dialog;
mod toaster;
mod use_modal;
mod words;

pub use announcer::Announcer;
pub use banner::Banner;
pub use confirm_question::ConfirmQuestion;
pub use copied::Copied;
pub use dialog::Dialog;
pub use folded_text::FoldedText;
pub use growing_text::GrowingText;
pub use icon::{Icon, IconName};
pub use icon_button::IconButton;
pub use mark::Mark;
pub use menu::Menu;
pub use menu_item::MenuItem;
pub use page_dialog::PageDialog;
pub use toaster::Toaster;
pub use use_modal::{on_closed, use_modal};
pub use words::{byte_size, model_title, speaker, time_left};
