//! A field for the title of a chat.

use crate::stores::use_kernel;
use leptos::html;
use leptos::prelude::*;
use sash_browser_kit::console::LogError;
use sash_chat::Id;
use sash_ui_kit::{OtherValue, use_mirror};
use sash_words::t;
use web_sys::KeyboardEvent;

/// The title as a field: Enter and leaving the field save what was typed, Escape discards it.
#[component]
pub fn RenameField(
    /// The chat.
    id: Id,
    /// Whether the chat is being renamed; set to false at the end.
    renaming: RwSignal<bool>,
) -> impl IntoView {
    let kernel = use_kernel();
    let field = NodeRef::<html::Input>::new();
    request_animation_frame(move || {
        if let Some(field) = field.try_get_untracked().flatten() {
            field.focus().log_error();
            field.select();
        }
    });
    let listed = kernel.chats().title(id);
    // A temporary chat is in no list.
    let title = use_mirror(move || match kernel.chats().open_id() == id {
        true => kernel.chats().open_title(),
        false => listed.get(),
    });
    let keep = move || {
        // Blur after Enter or Escape must not save again; removing the field also causes a blur.
        if renaming.try_get_untracked() == Some(true) {
            renaming.set(false);
            // A title that nobody typed may be an older one than another tab gave.
            if title.is_typed() {
                kernel.chats().rename(id, &title.text.get_untracked());
            }
        }
    };
    let on_keydown = move |event: KeyboardEvent| match event.key().as_str() {
        "Enter" => keep(),
        "Escape" => {
            event.prevent_default();
            renaming.set(false);
        }
        _ => {}
    };
    let field_id = format!("rename-{id}");

    view! {
        <input
            class="rename"
            autocomplete="off"
            id=field_id.clone()
            aria-label=t!(sidebar.chat_name)
            maxlength="200"
            prop:value=move || title.text.get()
            node_ref=field
            on:input=move |event| title.on_input(event_target_value(&event))
            on:keydown=on_keydown
            on:blur=move |_| keep()
        />
        <OtherValue mirror=title id=field_id />
    }
}
