//! The way from the settings to what is stored: backup, export, storage.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_words::t;

/// Opens the backup, and the storage: what is used, and where everything is deleted.
#[component]
pub fn StorageSection() -> impl IntoView {
    let stores = use_stores();
    let kernel = stores.kernel();
    let link = move |tab: &'static str, words: &'static str| {
        let open = move |_| {
            kernel.view().sub_page.set(None);
            kernel.view().show_all_chats(tab);
        };
        view! {
            <p>
                <button type="button" class="link" on:click=open>
                    {words}
                </button>
            </p>
        }
    };

    view! {
        <section aria-labelledby="settings-storage">
            <h3 id="settings-storage">{t!(common.storage)}</h3>
            {link("transfer", t!(settings.backup_export_and_import))}
            {link("storage", t!(settings.see_what_is_used_delete_everything))}
        </section>
    }
}
