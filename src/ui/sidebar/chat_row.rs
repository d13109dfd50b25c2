//! One chat in the list.

use super::RenameField;
use crate::ui::parts::{IconButton, IconName};
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::Id;

/// A row of the list: opens its chat, renames it in place, deletes it.
#[component]
pub fn ChatRow(
    /// The chat.
    id: Id,
    /// Its title.
    title: String,
    /// The row that Tab goes to (roving tabindex).
    tab_stop: Memo<Option<Id>>,
    /// The chat that is open.
    open: Memo<Id>,
) -> impl IntoView {
    let renaming = RwSignal::new(false);
    let name = title.clone();

    view! {
        <li class="chat-row" data-open=move || (open.get() == id).to_string()>
            <Show
                when=move || renaming.get()
                fallback=move || {
                    view! { <ChatRowFace id title=title.clone() tab_stop open renaming /> }
                }
            >
                <RenameField id title=name.clone() renaming />
            </Show>
        </li>
    }
}

/// What a row shows while its chat is not being renamed.
#[component]
fn ChatRowFace(
    /// The chat.
    id: Id,
    /// Its title.
    title: String,
    /// The row that Tab goes to.
    tab_stop: Memo<Option<Id>>,
    /// The chat that is open.
    open: Memo<Id>,
    /// Whether the chat is being renamed.
    renaming: RwSignal<bool>,
) -> impl IntoView {
    let stores = use_stores();
    let tabindex = move || {
        if tab_stop.get() == Some(id) {
            "0"
        } else {
            "-1"
        }
    };
    let is_answering = move || stores.answers.answering.with(|all| all.contains_key(&id));
    let rename = format!("Rename {title}");
    let delete = format!("Delete {title}");

    view! {
        <div class="chat-face">
            <button
                type="button"
                class="chat-open"
                tabindex=tabindex
                aria-current=move || (open.get() == id).then_some("true")
                on:click=move |_| stores.chats.open_chat(id)
            >
                <span class="chat-title">{title}</span>
                <Show when=is_answering>
                    <span>
                        <span class="pulse"></span>
                        <span class="visually-hidden">" answering"</span>
                    </span>
                </Show>
            </button>
            <span class="chat-actions">
                <IconButton
                    label=rename
                    title="Rename"
                    icon=IconName::Pencil
                    attr:tabindex=tabindex
                    on:click=move |_| renaming.set(true)
                />
                <IconButton
                    label=delete
                    title="Delete"
                    icon=IconName::Trash
                    attr:tabindex=tabindex
                    on:click=move |_| stores.answers.delete_chat(id)
                />
            </span>
        </div>
    }
}
