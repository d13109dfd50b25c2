//! The directory of this device that a person chooses for the backup.

use crate::fault::fault_words;
use crate::store::Backup;
use leptos::prelude::*;
use sash_words::t;

/// The button that has the person choose a directory of this device. Empty where the browser does not let them.
#[component]
pub fn ChooseDirectory() -> impl IntoView {
    let backup = Backup::expect();
    let choose = Action::new_local(move |(): &()| backup.choose_directory());
    let refused = Memo::new(move |_| {
        let done = choose.value().get()?;
        done.err().map(|fault| fault_words(&fault))
    });

    view! {
        <Show when=move || backup.can_choose_directory()>
            <p class="library-note">{t!(backup.choose_folder_hint)}</p>
            <div class="storage-row">
                <button
                    type="button"
                    disabled=choose.pending()
                    on:click=move |_| _ = choose.dispatch(())
                >
                    {t!(backup.choose_folder)}
                </button>
            </div>
            <ShowLet some=refused let:refused>
                <p class="note note-failed" role="alert">
                    {refused}
                </p>
            </ShowLet>
        </Show>
    }
}

/// What to do where the browser wants to ask the person whether the directory may still be written.
#[component]
pub fn AllowDirectory() -> impl IntoView {
    let backup = Backup::expect();
    let allow = Action::new_local(move |(): &()| backup.allow_directory());
    let words = move || {
        let folder = backup.state.with(|state| state.device.clone());
        folder.map(|folder| t!(backup.folder_needs_permission, folder = folder))
    };

    view! {
        <p class="note note-failed">{words}</p>
        <div class="storage-row">
            <button type="button" class="primary" on:click=move |_| _ = allow.dispatch(())>
                {t!(backup.allow_folder)}
            </button>
            <ForgetBackup />
        </div>
    }
}

/// The link that ends the backup of this browser.
#[component]
pub fn ForgetBackup() -> impl IntoView {
    let backup = Backup::expect();
    let forget = Action::new_local(move |(): &()| backup.forget());

    view! {
        <button type="button" class="link" on:click=move |_| _ = forget.dispatch(())>
            {t!(backup.stop_backup)}
        </button>
    }
}
