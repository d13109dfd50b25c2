//! The parts that pages are made of: icons, buttons, menus, dialogs, and the hooks of fields and keys.
//!
//! It knows no Sash but its texts: no store, no record, no server, no room. What a part does is given to it as a callback.
//! Its style is in the page's `style`.
#![cfg(target_arch = "wasm32")]

mod arrow_keys;
mod confirm_question;
mod dialog;
mod dialog_frame;
mod focus_out;
mod growing_text;
mod icon;
mod icon_button;
mod long_press;
mod mark;
mod menu;
mod menu_item;
mod menu_keys;
mod menu_list;
mod parameter_field;
mod use_mirror;
mod use_modal;
mod walk;

pub use arrow_keys::{along_line, is_alt_down, is_alt_up, is_plain_up};
pub use confirm_question::ConfirmQuestion;
pub use dialog::{Dialog, DialogState};
pub use dialog_frame::{DialogFrame, DialogWidth};
pub use focus_out::takes_focus_from;
pub use growing_text::GrowingText;
pub use icon::{Icon, IconName};
pub use icon_button::IconButton;
pub use long_press::LongPress;
pub use mark::Mark;
pub use menu::Menu;
pub use menu_item::MenuItem;
pub use parameter_field::ParameterField;
pub use use_mirror::{Mirror, OtherValue, use_mirror};
pub use use_modal::{on_closed, use_modal};
pub use walk::{ListEnds, walk};
