//! The form for the key of the backup, if the address did not contain it.

use super::secrets::SECRETS;
use crate::BackupKey;
use crate::fault::fault_words;
use crate::store::{Backup, BackupPhase};
use leptos::prelude::*;
use sash_view::browser::token::Secrets;
use sash_words::t;
use web_sys::SubmitEvent;

/// The form. It accepts the key or the whole address.
#[component]
pub fn KeyForm() -> impl IntoView {
    let backup = Backup::expect();
    let pasted = RwSignal::new(String::new());
    let take = Action::new_local(move |text: &String| {
        let text = text.clone();
        async move {
            // An address has a code for the key, or, of an older Sash, the key.
            let given = Secrets::parse(&text, SECRETS).exchange().await;
            let key = given.map(|mut given| given.others.remove(BackupKey::NAME).unwrap_or(text));
            match key {
                Ok(key) if backup.set_key(&key) => None,
                Ok(_) => Some(t!(backup.key_invalid).to_owned()),
                Err(fault) => Some(fault_words(&fault)),
            }
        }
    });
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        take.dispatch(pasted.get_untracked());
    };
    let problem = move || {
        let refused = take.value().get().flatten();
        refused.or_else(|| {
            backup.state.with(|state| match &state.phase {
                BackupPhase::NeedsKey(fault) => fault.as_ref().map(fault_words),
                _ => None,
            })
        })
    };

    view! {
        <form class="backup-key" on:submit=submit>
            <p class="library-note" id="backup-key-hint">
                {t!(backup.key_hint)}
            </p>
            <label for="backup-key">{t!(backup.key_label)}</label>
            <div class="storage-row">
                <input
                    type="text"
                    id="backup-key"
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby="backup-key-hint"
                    bind:value=pasted
                />
                <button type="submit" class="primary">
                    {t!(backup.use_key)}
                </button>
            </div>
            <p class="note note-failed" role="alert" hidden=move || problem().is_none()>
                {problem}
            </p>
        </form>
    }
}
