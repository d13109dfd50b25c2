//! The way from the settings to what is stored: backup, export, storage.

use leptos::prelude::*;
use sash_view::stores::use_kernel;
use sash_words::t;

/// Opens the backup, and the storage: what is used, and where everything is deleted.
#[component]
pub fn StorageSection() -> impl IntoView {
    let view = use_kernel().view();
    let link = move |tab: &'static str, words: &'static str| {
        let open = move |_| {
            view.sub_page.set(None);
            view.show_all_chats(tab);
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
            {link("transfer", t!(storage.export_and_import))}
            {link("storage", t!(storage.open_storage_tab))}
        </section>
    }
}
