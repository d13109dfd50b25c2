//! The library: everything that concerns all chats. Search, trash, storage, packing, export and import, in
//! one dialog.

mod backup_key_form;
mod backup_section;
mod bring_back_section;
mod confirm_button;
mod export;
mod export_reminder;
mod export_section;
mod folder_too;
mod import_choice;
mod import_report;
mod import_section;
mod keeping_section;
mod library_context;
mod library_dialog;
mod library_tabs;
mod packing_section;
mod search_result;
mod search_tab;
mod sizes;
mod storage_gauge;
mod storage_tab;
mod trash_tab;

pub use export::{export_chats, unread_words};
pub use export_section::transfer_command;
pub use import_section::show_import;
use library_context::LibraryContext;
pub use library_dialog::LibraryDialog;
pub use search_tab::search_command;
pub use storage_tab::storage_command;
pub use trash_tab::trash_command;
