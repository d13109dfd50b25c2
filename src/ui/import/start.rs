//! The way to the import from an empty chat.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_words::t;

/// Opens the import. Empty once there are chats.
#[component]
pub fn ImportButton() -> impl IntoView {
    let stores = use_stores();

    view! {
        <Show when=move || stores.chats().list.with(Vec::is_empty)>
            <button type="button" class="link" on:click=move |_| stores.library().open_import()>
                {t!(transcript.import_chats)}
            </button>
        </Show>
    }
}
