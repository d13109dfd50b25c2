//! The mark of a message whose edit was closed and not sent or saved.

use super::message_state::MessageState;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_log::DraftField;
use sash_words::t;

/// A button that opens the edit field again; nothing where no text waits.
#[component]
pub fn UnsavedEdit() -> impl IntoView {
    let kernel = use_kernel();
    let message = MessageState::expect();
    let has_text = move || kernel.drafts().has_field(DraftField::Edit(message.id));
    let is_shown = move || has_text() && !message.editing.get();
    let is_off = move || message.is_answer() && kernel.answers().is_busy(kernel.chats().open_id());

    view! {
        <Show when=is_shown>
            <button
                type="button"
                class="link unsaved-edit"
                disabled=is_off
                on:click=move |_| message.editing.set(true)
            >
                {t!(transcript.unsaved_edit)}
            </button>
        </Show>
    }
}
