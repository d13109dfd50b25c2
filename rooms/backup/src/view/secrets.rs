//! The key of the backup in addresses.

use crate::BackupKey;
use crate::store::{Backup, BackupPhase, BackupSettingsStoreFields};
use leptos::prelude::*;
use sash_stores::Kernel;
use sash_view::browser::token::{SecretName, Secrets, UseSecrets};
use sash_view::follow_browser;

/// The key, as a secret of the page beside its token.
pub const SECRETS: &[SecretName] = &[SecretName {
    prefix: "b=",
    name: BackupKey::NAME,
}];

/// Takes the key from addresses, with the token. One that is not the key which is here is asked about.
pub fn follow_secrets(kernel: Kernel) {
    let backup = Backup::expect();
    let needs_key = move || {
        let key = backup.settings.current.backup_key();
        let state = backup.state;
        key.with_untracked(String::is_empty)
            || state.with_untracked(|state| matches!(state.phase, BackupPhase::NeedsKey(_)))
    };
    let take = Callback::new(move |mut secrets: Secrets| {
        if let Some(key) = secrets.others.remove(BackupKey::NAME) {
            backup.offer_key(&key);
        }
    });
    let names = SECRETS;
    follow_browser::follow_secrets(kernel, UseSecrets { names, take }, needs_key);
}
