//! Parts that several rooms of the page use and that know the stores. Icons, menus and dialogs are the library `sash-ui-kit`.

mod announcer;
mod banner;
mod copied;
mod copy_line;
mod edit_field;
mod failed_note;
mod page_dialog;
mod rename_field;
mod rule_choice;
mod send_key;
mod toaster;
mod words;

pub use announcer::Announcer;
pub use banner::{BannerLine, OldOllamaLines, ServerGoneLine};
pub use copied::use_copied;
pub use copy_line::CopyLine;
pub use edit_field::{EditDraft, EditField, edit_field_id};
pub use failed_note::failed_note;
pub use page_dialog::PageDialog;
pub use rename_field::RenameField;
pub use rule_choice::{RuleChoice, steady};
pub use send_key::is_send;
pub use toaster::Toaster;
pub use words::{byte_size, model_choices, model_title, speaker, time_left, words_with_unsaved};
