//! Chats as files: complete as JSON Lines, as text and Markdown for reading, as a page that is shared, and on paper.
//!
//! [`Export`] writes the lines of [`sash_form`], complete, with receipts and branches, but without drafts; [`markdown`] and
//! [`text`] make text for reading; [`shared_page`] is a chat as an HTML file that holds its own records; [`file_name`] makes
//! the file's name. `view` has the section of *All chats*, the entries of the menu, and the question before a chat is shared.

mod file;
mod reminder;

#[cfg(target_arch = "wasm32")]
mod view;

pub use file::{
    Export, ExportScope, Share, ShareExtras, ShareScope, SharedPage, file_name, leave_out_systems,
    markdown, shared_page, text,
};
pub use reminder::{ExportSettings, ExportSettingsStoreFields, count_imports, is_export_due};
#[cfg(target_arch = "wasm32")]
pub use view::{
    ColorCode, ExportReminder, ExportSection, SaveItems, ShareDialog, export_chats, print_command,
    share_command, transfer_command,
};

/// Gives the page the question before a chat is shared, in which `color_code` colours code. What `has_imported` says to be
/// here from a file needs no export for now.
#[cfg(target_arch = "wasm32")]
pub fn provide(
    kernel: sash_stores::Kernel,
    color_code: ColorCode,
    has_imported: impl Fn() -> bool + 'static,
) {
    view::Sharing::provide(kernel, color_code);
    count_imports(kernel, has_imported);
}
