//! A message in short.

use crate::ui::app::use_session;
use crate::ui::session::excerpt;
use leptos::prelude::*;
use sash_chat::Id;

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
    let session = use_session();
    let text = session.message(id).map(|m| m.content).unwrap_or_default();

    view! {
        {label}
        " "
        <button
            type="button"
            class="link"
            title="Show it in the transcript"
            dir="auto"
            on:click=move |_| session.reveal(id)
        >
            {format!("“{}”", excerpt(&text, &found))}
        </button>
    }
}
