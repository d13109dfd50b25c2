//! What is stored: the trash, the room that chats take, packing them, and deleting everything.
//!
//! [`Library`] is the store; `view` has the tabs, the line above the transcript, and the section of the settings.

mod store;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use store::{Deleted, Library, TrashUnread};
#[cfg(target_arch = "wasm32")]
pub use view::{StorageLine, StorageSection, StorageTab, TrashTab, storage_command, trash_command};

/// Deletes something elsewhere, before it is deleted for good here. Gives what is to be deleted here, or why nothing is.
#[cfg(target_arch = "wasm32")]
pub type PurgeFirst<T> =
    leptos::prelude::Callback<T, std::pin::Pin<Box<dyn Future<Output = Result<T, String>>>>>;

/// Gives the page the store, which names deleted messages by their `first_words`, and packs old chats when half of the
/// room is used.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel, first_words: fn(&sash_chat::Message) -> String) {
    let library = Library::new(kernel, first_words);
    leptos::prelude::provide_context(library);
    view::pack_when_full(kernel, library);
}
