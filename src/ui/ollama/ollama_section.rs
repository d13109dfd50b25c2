//! The frame of the messages about Ollama.

use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// The frame of a message about Ollama: spacious in an empty chat, compact below a conversation.
#[component]
pub fn OllamaSection(
    /// The message.
    children: Children,
) -> impl IntoView {
    let path = use_stores().chats.path;

    view! {
        <section
            class="panel"
            aria-label="Ollama"
            data-roomy=move || path.with(Vec::is_empty).to_string()
        >
            {children()}
        </section>
    }
}
