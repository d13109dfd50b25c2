//! The backup: the folder, what is handed to it, and what comes back from it.

mod backup_key_form;
mod backup_only;
mod backup_section;
mod banner;
mod bring_back_section;
mod folder_too;
mod former_values_line;
mod words;

pub use backup_key_form::KEY;
pub use backup_only::BackupOnly;
pub use backup_section::BackupSection;
pub use banner::BackupBanner;
pub use folder_too::{FolderChoice, FolderToo};
pub use former_values_line::FormerValuesLine;
use words::old_backup_words;
