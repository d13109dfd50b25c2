//! The field of the system prompt.

use super::system_default::SystemDefault;
use super::system_library::SystemLibrary;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

/// The field, the default for new chats, and the saved prompts. "Save" of the dialog and Ctrl+Enter save the text.
#[component]
pub fn SystemEditor(
    /// The text of the field; it begins with the open chat's system prompt.
    text: RwSignal<String>,
) -> impl IntoView {
    let stores = use_stores();
    let kept = Memo::new(move |_| {
        stores.chats.open.with(|chat| {
            let text = chat.head.system_at(chat.head.settings.system);
            (chat.head.id, text.unwrap_or_default().to_owned())
        })
    });
    text.set(kept.get_untracked().1);
    Effect::new(move || text.set(kept.get().1));
    let save_on_enter = move |event: KeyboardEvent| {
        if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
            stores.steering.set_system(&text.get_untracked());
            stores.view.system_shown.set(false);
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
                on:keydown=save_on_enter
            />
            <p id="system-hint" class="hint-line">
                "How the model is to answer in this chat. It goes first with each question and is not counted as a message. Ctrl+Enter saves it."
            </p>
            <SystemDefault text />
            <SystemLibrary text />
        </div>
    }
}
