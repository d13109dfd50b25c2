//! The way from the settings to the browser's storage.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_words::t;

/// Opens the storage: what is used, and where everything is deleted.
#[component]
pub fn StorageSection() -> impl IntoView {
    let stores = use_stores();
    let open = move |_| {
        stores.view.sub_page.set(None);
        stores.library.open("storage");
    };

    view! {
        <section aria-labelledby="settings-storage">
            <h3 id="settings-storage">{t!(common.storage)}</h3>
            <button type="button" class="link" on:click=open>
                {t!(settings.see_what_is_used_delete_everything)}
            </button>
        </section>
    }
}
