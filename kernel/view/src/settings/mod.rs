//! The settings: a page over the chat, each section a component of its own.

mod choice_field;
mod engine_section;
mod fields;
mod new_chats_section;
mod settings_dialog;
mod writing_section;

pub use choice_field::{ChoiceField, EnumField};
pub use engine_section::EngineSection;
pub use fields::{ENGINES, Setting, SettingsButton, open_setting};
pub use new_chats_section::NewChatsSection;
pub use settings_dialog::SettingsDialog;
pub use writing_section::{OFFERS, OffersSetting, SEND_KEY, WritingSection};
