//! The name of a chat as a field.

use crate::ui::stores::use_stores;
use leptos::html;
use leptos::prelude::*;
use sash_chat::Id;
use web_sys::KeyboardEvent;

/// The name as a field: Enter keeps what is in it, Esc drops it, leaving keeps it.
#[component]
pub fn RenameField(
    /// The chat.
    id: Id,
    /// Its title so far.
    title: String,
    /// Whether it is being renamed; off when that is done.
    renaming: RwSignal<bool>,
) -> impl IntoView {
    let stores = use_stores();
    let field = NodeRef::<html::Input>::new();
    request_animation_frame(move || {
        if let Some(field) = field.try_get_untracked().flatten() {
            // Focus is refused only to what cannot have it.
            let _ = field.focus();
            field.select();
        }
    });
    let keep = move || {
        // Leaving the field after Enter or Esc must not count again; a field that is removed is left, too.
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
            aria-label="Chat name"
            maxlength="200"
            value=title
            node_ref=field
            on:keydown=on_keydown
            on:blur=move |_| keep()
        />
    }
}
