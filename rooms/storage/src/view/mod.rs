//! The tabs of *All chats* about what is stored, the line above the transcript, and the way to them from the settings.

mod keeping_section;
mod packing_section;
mod sizes;
mod storage_gauge;
mod storage_line;
mod storage_section;
mod storage_tab;
mod trash_tab;

pub use packing_section::pack_when_full;
pub use storage_line::StorageLine;
pub use storage_section::StorageSection;
pub use storage_tab::{StorageTab, storage_command};
pub use trash_tab::{TrashTab, trash_command};
