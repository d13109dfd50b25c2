//! What is stored: the trash, the room that chats take, packing them, and deleting everything.

mod packing_section;
mod sizes;
mod storage_gauge;
mod storage_line;
mod storage_section;
mod storage_tab;
mod trash_tab;

pub use storage_line::StorageLine;
pub use storage_section::StorageSection;
pub use storage_tab::{StorageTab, storage_command};
pub use trash_tab::{TrashTab, trash_command};
