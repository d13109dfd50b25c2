//! *All chats*: the dialog of what concerns all of them, a tab for each thing.

mod library_context;
mod library_dialog;
mod library_tabs;

pub use library_context::LibraryContext;
pub use library_dialog::LibraryDialog;
