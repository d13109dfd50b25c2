//! A message as a short quote.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::Id;
use sash_state::excerpt;

/// A label and an excerpt of a message; a click shows the message in the transcript.
#[component]
pub fn MessageQuote(
    /// The label.
    label: &'static str,
    /// The message.
    id: Id,
    /// Words that the excerpt should contain.
    found: Vec<String>,
) -> impl IntoView {
    let stores = use_stores();
    let text = stores
        .chats
        .message(id)
        .map(|m| m.content)
        .unwrap_or_default();

    view! {
        {label}
        " "
        <button
            type="button"
            class="link"
            title="Show it in the transcript"
            dir="auto"
            on:click=move |_| stores.view.reveal(id)
        >
            {format!("“{}”", excerpt(&text, &found))}
        </button>
    }
}
