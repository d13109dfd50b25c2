//! The field of the system prompt.

use super::system_default::SystemDefault;
use super::system_library::SystemLibrary;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

/// The field, the default for new chats, and the saved prompts. The text is saved when the field loses focus,
/// on Ctrl+Enter, and when the dialog closes.
#[component]
pub fn SystemEditor() -> impl IntoView {
    let stores = use_stores();
    let kept = Memo::new(move |_| {
        stores.chats.open.with(|chat| {
            let text = chat.head.system_at(chat.head.system);
            (chat.head.id, text.unwrap_or_default().to_owned())
        })
    });
    let text = RwSignal::new(kept.get_untracked().1);
    Effect::new(move || text.set(kept.get().1));
    // A field that is removed with focus is left afterwards: the signal may be gone by then, and its text was kept.
    let keep_text = move || {
        if let Some(text) = text.try_get_untracked() {
            stores.steering.set_system(&text);
        }
    };
    // Escape closes the dialog without a blur.
    on_cleanup(keep_text);
    let keep_on_enter = move |event: KeyboardEvent| {
        if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
            keep_text();
        }
    };

    view! {
        <div class="system-editor">
            <textarea
                aria-label="System prompt"
                aria-describedby="system-hint"
                rows="6"
                placeholder="You are …"
                bind:value=text
                on:blur=move |_| keep_text()
                on:keydown=keep_on_enter
            />
            <p id="system-hint" class="hint-line">
                "How the model is to answer in this chat. It goes first with each question and is not counted as a message. Ctrl+Enter saves it."
            </p>
            <SystemDefault text />
            <SystemLibrary text />
        </div>
    }
}
