//! A field for the title of a chat.

use crate::browser::console::LogError;
use crate::ui::stores::use_stores;
use leptos::html;
use leptos::prelude::*;
use sash_chat::Id;
use sash_words::t;
use web_sys::KeyboardEvent;

/// The title as a field: Enter and leaving the field save the text, Escape discards it.
#[component]
pub fn RenameField(
    /// The chat.
    id: Id,
    /// Its present title.
    title: String,
    /// Whether the chat is being renamed; set to false at the end.
    renaming: RwSignal<bool>,
) -> impl IntoView {
    let stores = use_stores();
    let field = NodeRef::<html::Input>::new();
    request_animation_frame(move || {
        if let Some(field) = field.try_get_untracked().flatten() {
            field.focus().log_error();
            field.select();
        }
    });
    let keep = move || {
        // Blur after Enter or Escape must not save again; removing the field also causes a blur.
        if renaming.try_get_untracked() == Some(true)
            && let Some(field) = field.try_get_untracked().flatten()
        {
            renaming.set(false);
            stores.chats.rename(id, &field.value());
        }
    };
    let on_keydown = move |event: KeyboardEvent| match event.key().as_str() {
        "Enter" if !event.is_composing() => keep(),
        "Escape" => {
            event.prevent_default();
            renaming.set(false);
        }
        _ => {}
    };

    view! {
        <input
            class="rename"
            autocomplete="off"
            aria-label=t!(sidebar.chat_name)
            maxlength="200"
            value=title
            node_ref=field
            on:keydown=on_keydown
            on:blur=move |_| keep()
        />
    }
}
