//! The backup on the page: what is said of it above the chat, its section of *All chats*, the choice of what is restored, and
//! the questions before something is deleted for good.

mod asked_elsewhere_line;
mod backup_banner;
mod backup_only;
mod backup_section;
mod backup_status;
mod browsers_list;
mod device;
mod directory_choice;
mod edges;
mod former_values_line;
mod key_form;
mod purge_choice;
mod restore_section;
mod secrets;
mod words;

pub use asked_elsewhere_line::AskedElsewhereLine;
pub use backup_banner::BackupBanner;
pub use backup_only::BackupOnly;
pub use backup_section::BackupSection;
pub use device::DIRECTORIES;
pub(crate) use edges::edges;
pub use former_values_line::FormerValuesLine;
pub use purge_choice::{EverythingToo, PurgeChoice, PurgeToo};
pub use secrets::{SECRETS, follow_secrets};

use crate::store::{Backup, BackupPhase, BackupSettingsStoreFields};
use leptos::prelude::*;

/// The tab of *All chats* that has the section of the backup.
const TAB: &str = "transfer";

/// Whether the chats are in a backup too.
#[must_use]
pub fn has_backup() -> Signal<bool> {
    let state = Backup::expect().state;
    Signal::derive(move || state.with(|state| state.phase != BackupPhase::Off))
}

/// When everything was in the backup last, in milliseconds since 1970; 0: never.
#[must_use]
pub fn backed_up() -> Signal<u64> {
    let backed_up = Backup::expect().settings.current.backed_up();
    Signal::derive(move || backed_up.get())
}
