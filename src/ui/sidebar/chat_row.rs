//! One chat in the list.

use super::RenameField;
use crate::browser::keys::is_text_field;
use crate::ui::parts::{IconButton, IconName};
use crate::ui::stores::use_stores;
use leptos::html;
use leptos::prelude::*;
use sash_chat::Id;
use sash_words::t;
use web_sys::KeyboardEvent;

/// A row of the list: opens its chat, renames it in place, deletes it.
#[component]
pub fn ChatRow(
    /// The chat.
    id: Id,
    /// The row that Tab goes to (roving tabindex).
    tab_stop: Memo<Option<Id>>,
) -> impl IntoView {
    let stores = use_stores();
    let title = stores.chats.title(id);
    let renaming = RwSignal::new(false);
    let button = NodeRef::<html::Button>::new();
    let on_keydown = move |event: KeyboardEvent| {
        // These keys close the field, so focus returns to the row. After a click elsewhere, focus stays there.
        if is_text_field(event.target()) && matches!(&*event.key(), "Enter" | "Escape") {
            request_animation_frame(move || {
                if let Some(button) = button.try_get_untracked().flatten() {
                    // Focus is refused only to what cannot have it.
                    _ = button.focus();
                }
            });
        }
    };

    view! {
        <li
            class="chat-row"
            on:keydown=on_keydown
            data-open=move || (stores.chats.open_id() == id).to_string()>
            <Show
                when=move || renaming.get()
                fallback=move || view! { <ChatRowFace id title tab_stop renaming button /> }
            >
                <RenameField id title=title.get_untracked() renaming />
            </Show>
        </li>
    }
}

/// A row while its chat is not being renamed.
#[component]
fn ChatRowFace(
    /// The chat.
    id: Id,
    /// Its title.
    title: Memo<String>,
    /// The row that Tab goes to.
    tab_stop: Memo<Option<Id>>,
    /// Whether the chat is being renamed.
    renaming: RwSignal<bool>,
    /// The button that opens the chat.
    button: NodeRef<html::Button>,
) -> impl IntoView {
    let stores = use_stores();
    let tabindex = move || {
        if tab_stop.get() == Some(id) {
            "0"
        } else {
            "-1"
        }
    };
    let is_answering = move || stores.answers.is_busy(id);

    view! {
        <div class="chat-face">
            <button
                type="button"
                class="chat-open"
                node_ref=button
                tabindex=tabindex
                aria-current=move || (stores.chats.open_id() == id).then_some("true")
                on:click=move |_| stores.chats.open_chat(id)
            >
                <span class="chat-title">{move || title.get()}</span>
                <Show when=is_answering>
                    <span>
                        <span class="pulse"></span>
                        <span class="visually-hidden">{t!(sidebar.answering)}</span>
                    </span>
                </Show>
            </button>
            <span class="chat-actions">
                <IconButton
                    label=move || t!(sidebar.rename, title = title.get())
                    title=t!(common.rename)
                    icon=IconName::Pencil
                    attr:tabindex=tabindex
                    on:click=move |_| renaming.set(true)
                />
                <IconButton
                    label=move || t!(sidebar.delete, title = title.get())
                    title=t!(common.delete)
                    icon=IconName::Trash
                    attr:tabindex=tabindex
                    on:click=move |_| stores.answers.delete_chat(id)
                />
            </span>
        </div>
    }
}
