//! Small components that several parts of the page use.

mod announcer;
mod banner;
mod confirm_question;
mod copied;
mod dialog;
mod dialog_frame;
mod enter;
mod focus_out;
mod folded_text;
mod growing_text;
mod icon;
mod icon_button;
mod ids;
mod long_press;
mod mark;
mod menu;
mod menu_item;
mod menu_keys;
mod menu_list;
mod page_dialog;
mod rule_choice;
mod toaster;
mod use_mirror;
mod use_modal;
mod words;

pub use announcer::Announcer;
pub use banner::Banner;
pub use confirm_question::ConfirmQuestion;
pub use copied::use_copied;
pub use dialog::Dialog;
pub use dialog_frame::{DialogFrame, DialogWidth};
pub use enter::{is_alt_down, is_alt_up, is_plain_up, is_send};
pub use focus_out::takes_focus_from;
pub use folded_text::FoldedText;
pub use growing_text::GrowingText;
pub use icon::{Icon, IconName};
pub use icon_button::IconButton;
pub use ids::edit_field_id;
pub use long_press::LongPress;
pub use mark::Mark;
pub use menu::Menu;
pub use menu_item::MenuItem;
pub use page_dialog::PageDialog;
pub use rule_choice::{RuleChoice, steady};
pub use toaster::Toaster;
pub use use_mirror::{Mirror, OtherValue, use_mirror};
pub use use_modal::{on_closed, use_modal};
pub use words::{
    byte_size, model_choices, model_title, old_backup_words, speaker, time_left, words_with_unsaved,
};
