//! The form for the key of the backup, if the address did not contain it.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use leptos::task::spawn_local;
use sash_calls::BackupKey;
use sash_state::BackupPhase;
use sash_view::browser::token::{SecretName, Secrets};
use sash_words::t;
use web_sys::SubmitEvent;

/// The key, as a secret of the page.
pub const KEY: SecretName = SecretName {
    prefix: "b=",
    name: BackupKey::NAME,
};

/// The form. It accepts the key or the whole address.
#[component]
pub fn BackupKeyForm() -> impl IntoView {
    let backup = use_stores().backup();
    let pasted = RwSignal::new(String::new());
    let refused = RwSignal::new(None::<String>);
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let text = pasted.get_untracked();
        spawn_local(async move {
            // An address has a code for the key, or, of an older Sash, the key.
            let given = Secrets::parse(&text, &[KEY]).exchange().await;
            let key = given.map(|mut given| given.others.remove(BackupKey::NAME).unwrap_or(text));
            refused.set(match key {
                Ok(key) if backup.set_key(&key) => None,
                Ok(_) => Some(t!(library.key_invalid).to_owned()),
                Err(fault) => Some(fault.to_string()),
            });
        });
    };
    let problem = move || match (refused.get(), backup.state.get().phase) {
        (Some(words), _) => Some(words),
        (None, BackupPhase::NeedsKey(fault)) => fault.map(|fault| fault.to_string()),
        _ => None,
    };

    view! {
        <form class="backup-key" on:submit=submit>
            <p class="library-note" id="backup-key-hint">
                {t!(library.key_hint)}
            </p>
            <label for="backup-key">{t!(library.key_of_the_backup)}</label>
            <div class="storage-row">
                <input
                    type="text"
                    id="backup-key"
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby="backup-key-hint"
                    prop:value=move || pasted.get()
                    on:input:target=move |event| pasted.set(event.target().value())
                />
                <button type="submit" class="primary">
                    {t!(library.use_this_key)}
                </button>
            </div>
            <p class="note note-failed" role="alert" hidden=move || problem().is_none()>
                {problem}
            </p>
        </form>
    }
}
