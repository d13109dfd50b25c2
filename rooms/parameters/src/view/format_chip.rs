//! The form of answers, below the prompt field.

use leptos::prelude::*;
use sash_chat::{AnswerFormat, ChatSettingsStoreFields};
use sash_view::stores::use_kernel;
use sash_words::t;

/// Says that the chat asks for JSON; a click opens the parameters, where that is set. Empty without.
#[component]
pub fn FormatChip() -> impl IntoView {
    let kernel = use_kernel();
    let format = Memo::new(move |_| {
        kernel.chats().open_settings().format().with(|format| {
            let format = format.as_ref()?;
            let short = match format {
                AnswerFormat::Json => "JSON",
                AnswerFormat::Schema(_) => t!(parameters.schema),
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
                aria-label=t!(parameters.answers_must_be_value, value = format.0, form = format.1)
                title=t!(parameters.answers_must_be, value = format.1)
                on:click=move |_| kernel.commands().run("parameters")
            >
                {format.0}
            </button>
        </ShowLet>
    }
}
