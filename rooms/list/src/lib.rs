//! The list of chats: its sections, folders, the archive, and several chats at once.
//!
//! [`ChatList`] is the store; `view` has the sidebar and the dialogs of folders.

mod settings;
mod store;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use settings::{ListSettings, ListSettingsStoreFields};
pub use store::{ChatList, ListRow, Section, SectionKind};
#[cfg(target_arch = "wasm32")]
pub use view::{FolderDialog, MoveDialog, Sidebar, use_drawer_swipe};

/// Gives the page the store.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel) {
    leptos::prelude::provide_context(ChatList::new(kernel));
}
