//! What several rooms of the page use and what knows the stores. Icons, menus and dialogs are the library `sash-ui-kit`.

mod announcer;
mod banner;
mod copied;
mod failed_note;
mod ids;
mod page_dialog;
mod rule_choice;
mod send_key;
mod toaster;
mod words;

pub use announcer::Announcer;
pub use banner::Banner;
pub use copied::use_copied;
pub use failed_note::failed_note;
pub use ids::edit_field_id;
pub use page_dialog::PageDialog;
pub use rule_choice::{RuleChoice, steady};
pub use send_key::is_send;
pub use toaster::Toaster;
pub use words::{
    byte_size, model_choices, model_title, old_backup_words, speaker, time_left, words_with_unsaved,
};
