//! The tabs of *All chats* about what is stored, the line above the transcript, and the way to them from the settings.

mod cleared;
mod confirm_button;
mod keeping_section;
mod packing_section;
mod sizes;
mod storage_gauge;
mod storage_line;
mod storage_section;
mod storage_tab;
mod trash_tab;

use leptos::prelude::Callback;
pub use packing_section::pack_when_full;
use std::pin::Pin;
pub use storage_line::StorageLine;
pub use storage_section::StorageSection;
pub use storage_tab::StorageTab;
pub use trash_tab::TrashTab;

/// Deletes something elsewhere, before it is deleted for good here. Gives what is to be deleted here, or why nothing is.
pub type PurgeFirst<T> = Callback<T, Pin<Box<dyn Future<Output = Result<T, String>>>>>;
