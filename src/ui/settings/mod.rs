//! The settings: a page over the chat, each section a component of its own.

mod appearance_section;
mod choice_field;
mod engine_section;
mod fields;
mod language_field;
mod new_chats_section;
mod notices_section;
mod parameters_section;
mod reading_section;
mod recall_section;
mod settings_dialog;
mod storage_section;
mod writing_section;

pub use appearance_section::theme_command;
pub use fields::{SettingField, SettingsButton, open_setting};
pub use settings_dialog::SettingsDialog;
