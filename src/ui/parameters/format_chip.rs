//! The form of answers, below the prompt field.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::{AnswerFormat, ChatSettingsStoreFields};
use sash_words::t;

/// Says that the chat asks for JSON; a click opens the parameters, where that is set. Empty without.
#[component]
pub fn FormatChip() -> impl IntoView {
    let stores = use_stores();
    let kernel = stores.kernel();
    let format = Memo::new(move |_| {
        kernel.chats().open_settings().format().with(|format| {
            let format = format.as_ref()?;
            let short = match format {
                AnswerFormat::Json => "JSON",
                AnswerFormat::Schema(_) => t!(composer.schema),
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
                aria-label=t!(composer.answers_must_be_value, value = format.0, form = format.1)
                title=t!(composer.answers_must_be, value = format.1)
                on:click=move |_| kernel.commands().run("parameters")
            >
                {format.0}
            </button>
        </ShowLet>
    }
}
