//! The page's stores, over the log of this browser and connected to the browser's events.

use crate::browser::edges::edges;
use crate::browser::focus_refs::FocusRefs;
use crate::browser::log::open_log;
use crate::browser::tab_storage;
use crate::browser::token::SecretName;
use crate::browser::{storage, token};
use crate::ui::backup;
use crate::ui::models::remember_pulls;
use crate::ui::room_edges::room_edges;
use crate::ui::summary::remember_summary;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_calls::BackupKey;
use sash_log::pack::PackingGain;
use sash_records::KINDS;
use sash_state::{BackupPhase, SettingsStoreFields, Stores, WhatIfState, amount};
use sash_words::t;

/// The secrets that the page needs besides its token.
pub const SECRETS: &[SecretName] = &[backup::KEY];

/// Opens the log, creates the stores, and provides them as a context. They give the focus to elements of `refs`. Ollama
/// is checked at once.
#[must_use]
pub fn provide_stores(refs: FocusRefs) -> Stores {
    let (log, state) = open_log(KINDS);
    let tab = tab_storage::remembered_tab();
    let stores = Stores::new(edges(refs), room_edges(), log, state, tab);
    provide_context(stores);
    provide_context(stores.kernel());
    follow_events(stores);
    remember_pulls(stores.pulls());
    if tab_storage::ended_temporary() {
        let notices = stores.notices();
        notices.show(t!(state.the_temporary_chat_ended_with_the_reload));
    }
    follow_signals(stores);

    remember_summary(stores);
    stores.storage().measure();
    stores
}

/// Connects the stores to events of the browser.
fn follow_events(stores: Stores) {
    storage::on_other_tab(move |key, there| {
        if key == Some(storage::DELETING) {
            storage::follow_deletion(there);
        }
        if !storage::is_closed() {
            stores.tabs().on_storage_event(key, there);
        }
    });
    let needed = move |mut secrets: token::Secrets| {
        let needs_token = stores.engine().needs_token.get_untracked();
        let key = stores.settings().current.backup_key();
        let state = stores.backup().state;
        let needs_key = key.with_untracked(String::is_empty)
            || state.with_untracked(|state| matches!(state.phase, BackupPhase::NeedsKey(_)));
        secrets.token = secrets.token.filter(|_| needs_token);
        secrets.others.retain(|_, _| needs_key);
        secrets
    };
    let take = Callback::new(move |mut secrets: token::Secrets| {
        if let Some(key) = secrets.others.remove(BackupKey::NAME) {
            stores.backup().set_key(&key);
        }
    });
    let names = SECRETS;
    provide_context(token::UseSecrets { names, take });
    token::on_arrival(names, needed, move |arrived| {
        match arrived {
            Ok(secrets) => take.run(secrets),
            Err(fault) => {
                stores.notices().show(fault.to_string());
                stores.engine().token_fault.set(Some(fault));
            }
        }
        stores.engine().refresh();
    });
    page::on_leaving(move || {
        stores.answers().write_everything();
        // A voice goes on after its page.
        stores.read_aloud().stop();
    });
    page::ask_before_leaving(move || {
        let chats = stores.chats();
        let is_temporary = chats.is_temporary_untracked(chats.open_id_untracked());
        is_temporary && chats.path.with_untracked(|path| !path.is_empty())
    });
    // While another window is chosen, what is behind that dialog does not change.
    page::on_undo(move || stores.what_if().state.get_untracked() != WhatIfState::Closed);
    page::on_undo(move || stores.chats().undo_last());
    page::on_seen(move || stores.answer_notices().record_seen());
    page::on_return(move || {
        // With a wrong token each check would count as an attempt.
        if !stores.engine().needs_token.get_untracked() {
            stores.engine().refresh();
        }
    });
}

/// Remembers the tab for a reload, and packs old chats when the storage fills up.
fn follow_signals(stores: Stores) {
    Effect::new(move || {
        let open = stores.chats().open_id();
        tab_storage::remember_chat((!stores.chats().is_temporary(open)).then_some(open));
    });
    let is_temporary = Memo::new(move |_| {
        let chats = stores.chats();
        let has_draft = || stores.drafts().draft.with(|draft| !draft.is_empty());
        chats.is_temporary(chats.open_id())
            && (chats.path.with(|path| !path.is_empty()) || has_draft())
    });
    Effect::new(move || tab_storage::remember_temporary(is_temporary.get()));
    Effect::new(move || tab_storage::remember_panel(stores.view().panel_shown.get()));
    let percent = Memo::new(move |_| stores.storage().state.with(|now| now.percent));
    Effect::new(move || {
        let percent = percent.get();
        leptos::task::spawn_local(async move {
            let gain = stores.library().pack_when_full(percent).await;
            if gain.messages > 0 {
                stores.notices().show(packed_words(&gain));
            }
        });
    });
}

/// The message about chats that were packed automatically.
fn packed_words(gain: &PackingGain) -> String {
    t!(
        page.packed_of_old_chats_kb_of,
        after = amount(gain.before.saturating_sub(gain.after))
    )
}
