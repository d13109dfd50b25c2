//! Chats as files: saved, and shared with others.

mod export_reminder;
mod export_section;
mod save;
mod share;

pub use export_reminder::ExportReminder;
pub use export_section::ExportSection;
pub use save::{export_chats, unread_words};
pub use share::{ShareDialog, share};
