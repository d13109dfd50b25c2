//! One chat in the list.

use crate::chat::Id;
use crate::log::Summary;
use crate::ui::app::session;
use crate::ui::parts::{Icon, icon};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

/// A row: open, rename in place, delete.
#[component]
pub fn ChatRow(summary: Summary, stop: Memo<Option<Id>>) -> impl IntoView {
    let session = session();
    let id = summary.id;
    let title = StoredValue::new(summary.title);
    let renaming = RwSignal::new(false);
    let is_open = move || session.open_id() == id;
    let answering = move || session.answering.with(|all| all.contains_key(&id));
    let tabindex = move || if stop.get() == Some(id) { "0" } else { "-1" };
    let row = move || {
        view! {
            <button
                class="chat-open"
                tabindex=tabindex
                aria-current=move || is_open().then_some("true")
                on:click=move |_| session.open_chat(id)
            >
                <span class="chat-title">{title.get_value()}</span>
                {move || answering().then(|| view! { <span class="pulse"></span><span class="visually-hidden">" answering"</span> })}
            </button>
            <span class="chat-actions">
                <button
                    class="icon-button"
                    aria-label=format!("Rename {}", title.get_value())
                    title="Rename"
                    tabindex=tabindex
                    on:click=move |_| renaming.set(true)
                >
                    {icon(Icon::Pencil)}
                </button>
                <button
                    class="icon-button"
                    aria-label=format!("Delete {}", title.get_value())
                    title="Delete"
                    tabindex=tabindex
                    on:click=move |_| session.delete_chat(id)
                >
                    {icon(Icon::Trash)}
                </button>
            </span>
        }
    };
    view! {
        <li class="chat-row" data-open=move || is_open().to_string()>
            {move || {
                if renaming.get() {
                    view! { <Rename id title renaming/> }.into_any()
                } else {
                    row().into_any()
                }
            }}
        </li>
    }
}

/// The name as a field: Enter keeps, Esc drops, leaving keeps.
#[component]
fn Rename(id: Id, title: StoredValue<String>, renaming: RwSignal<bool>) -> impl IntoView {
    let session = session();
    let input = NodeRef::<leptos::html::Input>::new();
    input.on_load(|input| {
        request_animation_frame(move || {
            let _ = input.focus();
            input.select();
        });
    });
    let keep = move || {
        // Leaving the field after Enter or Esc must not count again.
        if renaming.get_untracked() {
            renaming.set(false);
            if let Some(input) = input.get_untracked() {
                session.rename(id, &input.value());
            }
        }
    };
    let key = move |event: KeyboardEvent| match event.key().as_str() {
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
            node_ref=input
            aria-label="Chat name"
            maxlength="200"
            value=title.get_value()
            on:keydown=key
            on:blur=move |_| keep()
        />
    }
}
