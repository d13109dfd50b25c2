//! The way to the import from an empty chat.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::Stores;
use sash_words::t;

/// Opens *All chats* at the file field of the import.
pub fn show_import(stores: Stores) {
    stores.imports().want_field();
    stores.kernel().view().show_all_chats("transfer");
}

/// Opens the import. Empty once there are chats.
#[component]
pub fn ImportButton() -> impl IntoView {
    let stores = use_stores();

    view! {
        <Show when=move || stores.kernel().chats().list.with(Vec::is_empty)>
            <button type="button" class="link" on:click=move |_| show_import(stores)>
                {t!(transcript.import_chats)}
            </button>
        </Show>
    }
}
