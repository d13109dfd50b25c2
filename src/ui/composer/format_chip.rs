//! The form that the next answer must have, beside the line that says what goes with the prompt.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::AnswerFormat;

/// Says that the chat asks for JSON; a click opens the parameters, where that is set. Empty without.
#[component]
pub fn FormatChip() -> impl IntoView {
    let stores = use_stores();
    let format = Memo::new(move |_| {
        stores.chats.open.with(|chat| {
            let format = chat.head.settings.format.as_ref()?;
            let short = match format {
                AnswerFormat::Json => "JSON",
                AnswerFormat::Schema(_) => "Schema",
            };
            Some((short, format.name()))
        })
    });

    view! {
        <ShowLet some=format let:format>
            <button
                type="button"
                class="format-chip"
                aria-haspopup="dialog"
                aria-label=format!("{}: answers must be {}", format.0, format.1)
                title=format!("Answers must be {}", format.1)
                on:click=move |_| stores.view.parameters_shown.set(true)
            >
                {format.0}
            </button>
        </ShowLet>
    }
}
