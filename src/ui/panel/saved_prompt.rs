//! A saved system prompt.

use leptos::prelude::*;
use sash_state::SystemPrompt;

/// A button that puts a saved system prompt into the field and sets it for the chat.
#[component]
pub fn SavedPrompt(
    /// The prompt.
    prompt: SystemPrompt,
    /// The saved prompt that is in the field.
    chosen: Memo<Option<SystemPrompt>>,
    /// The text of the field.
    text: RwSignal<String>,
) -> impl IntoView {
    let name = prompt.name.clone();
    let own = prompt.clone();
    let pressed = move || {
        chosen
            .with(|chosen| chosen.as_ref() == Some(&own))
            .to_string()
    };
    let choose = move |_| text.set(prompt.text.clone());

    view! {
        <li>
            <button type="button" aria-pressed=pressed on:click=choose>
                {name}
            </button>
        </li>
    }
}
