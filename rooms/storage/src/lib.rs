//! The storage: the trash, the room that chats take, packing them, and deleting everything.
//!
//! [`Library`] is the store; `view` has the tabs, the line above the transcript, and the section of the settings.

mod store;
mod words;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use store::{Deleted, Library, TrashUnread};
#[cfg(target_arch = "wasm32")]
pub use view::{PurgeFirst, StorageLine, StorageSection, StorageTab, TrashTab};
pub use words::{chats_and_messages, purge_question};

/// Gives the page the store, which names deleted messages by their `first_words`, and packs old chats when half of the
/// room is used.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel, first_words: fn(&sash_chat::Message) -> String) {
    let library = Library::new(kernel, first_words);
    leptos::prelude::provide_context(library);
    view::pack_when_full(kernel, library);
}
