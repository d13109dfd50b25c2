//! The page's stores, over the log of this browser and connected to the browser's events.

use crate::ui::backup;
use crate::ui::room_edges::room_edges;
use leptos::prelude::*;
use sash_calls::BackupKey;
use sash_records::KINDS;
use sash_state::{BackupPhase, BackupSettingsStoreFields, Stores};
use sash_view::browser::edges::edges;
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::browser::log::open_log;
use sash_view::browser::tab_storage;
use sash_view::browser::token::{SecretName, Secrets, UseSecrets};
use sash_view::follow_browser;

/// The secrets that the page needs besides its token.
pub const SECRETS: &[SecretName] = &[backup::KEY];

/// Opens the log, creates the stores, and provides them as a context. They give the focus to elements of `refs`. Ollama
/// is checked at once.
#[must_use]
pub fn provide_stores(refs: FocusRefs) -> Stores {
    let (log, state) = open_log(KINDS);
    let tab = tab_storage::remembered_tab();
    let stores = Stores::new(edges(refs), room_edges(), log, state, tab);
    let kernel = stores.kernel();
    provide_context(stores);
    provide_context(kernel);
    follow_secrets(stores);
    follow_browser::remember_tab(kernel);
    kernel.storage().measure();
    stores
}

/// Takes the key of the backup from addresses, with the token.
fn follow_secrets(stores: Stores) {
    let needs_key = move || {
        let key = stores.backup().settings.current.backup_key();
        let state = stores.backup().state;
        key.with_untracked(String::is_empty)
            || state.with_untracked(|state| matches!(state.phase, BackupPhase::NeedsKey(_)))
    };
    let take = Callback::new(move |mut secrets: Secrets| {
        if let Some(key) = secrets.others.remove(BackupKey::NAME) {
            stores.backup().set_key(&key);
        }
    });
    let names = SECRETS;
    follow_browser::follow_secrets(stores.kernel(), UseSecrets { names, take }, needs_key);
}
