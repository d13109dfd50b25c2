//! Chats as files: saved, and shared with others.

mod export_reminder;
mod export_section;
mod menu_items;
mod save;
mod share;

pub use export_reminder::ExportReminder;
pub use export_section::{ExportSection, transfer_command};
pub use menu_items::SaveItems;
pub use save::export_chats;
pub use share::{ColorCode, ShareDialog, Sharing, print_command, share_command};
