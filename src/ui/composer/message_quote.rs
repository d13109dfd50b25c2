//! A message in short.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::Id;
use sash_state::excerpt;

/// What is said of a message, and an excerpt of it; pressed, the message is shown where it stands.
#[component]
pub fn MessageQuote(
    /// What is said of it.
    label: &'static str,
    /// The message.
    id: Id,
    /// The words that the excerpt shows, if it can.
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
