//! The way to the import from an empty chat.

use crate::Imports;
use leptos::prelude::*;
use sash_view::stores::use_kernel;
use sash_words::t;

/// Opens the import. Empty once there are chats.
#[component]
pub fn ImportButton() -> impl IntoView {
    let (chats, imports) = (use_kernel().chats(), Imports::expect());

    view! {
        <Show when=move || chats.list.with(Vec::is_empty)>
            <button type="button" class="link" on:click=move |_| imports.open()>
                {t!(import.import_chats)}
            </button>
        </Show>
    }
}
