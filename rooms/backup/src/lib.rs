//! The backup: the chats of one person as plain files in a directory, at the server or on the device.
//!
//! Each browser writes its own file of each chat, its *copy*, and no other; so no writer can take words from another one.
//! A message never changes and a chat is a tree, so what another browser wrote is added by the ids of its messages.
//!
//! [`form`] is the text of a copy: a header, sealed by the key, and the lines of an export. [`lines`] makes these lines of
//! the log, [`clock`] says which of two values of a field is the later one, [`record`] is what a browser remembers of its
//! copies, [`union`] merges those of others. [`directory`] has the rules of the files, which are behind
//! [`files::DirectoryFiles`]: those of the server, of the device, and of tests. [`store`] is what a page does with all of them.

#![forbid(unsafe_code)]

mod asked_elsewhere;
mod browser_name;
pub mod call;
pub mod clock;
mod compare;
pub mod directory;
mod fault;
pub mod files;
pub mod form;
pub mod functions;
pub mod gone;
mod key;
pub mod lines;
#[cfg(any(test, feature = "test"))]
#[path = "tests/memory_files.rs"]
pub mod memory_files;
pub mod record;
#[cfg(not(target_arch = "wasm32"))]
mod server;
pub mod store;
pub mod union;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use asked_elsewhere::AskedElsewhere;
pub use browser_name::browser_name;
pub use fault::{BackupFault, BackupProblem};
#[cfg(not(target_arch = "wasm32"))]
pub use functions::calls;
pub use key::BackupKey;
#[cfg(not(target_arch = "wasm32"))]
pub use server::{Backup as BackupServer, BackupError, BackupPlaces};
pub use store::BackupSettings;
#[cfg(target_arch = "wasm32")]
pub use view::{
    AskedElsewhereLine, BackupBanner, BackupOnly, BackupSection, DIRECTORIES, EverythingToo,
    FormerValuesLine, PurgeChoice, PurgeToo, SECRETS, backed_up, follow_secrets, has_backup,
};

/// Gives the page the stores of the backup.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel) {
    use leptos::prelude::provide_context;
    let backup = store::Backup::new(kernel, view::edges());
    provide_context(backup);
    provide_context(AskedElsewhere::new(kernel, backup.merged()));
}
