//! The list of chats.

use super::chat_row::ChatRow;
use crate::browser::console::LogError;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

/// The rows. The list is one tab stop; the arrow keys move within it.
#[component]
pub fn ChatList() -> impl IntoView {
    let stores = use_stores();
    let tab_stop = Memo::new(move |_| {
        let open = stores.chats.open_id();
        stores.chats.list.with(|chats| {
            let listed = chats.iter().any(|summary| summary.id == open);
            if listed {
                Some(open)
            } else {
                chats.first().map(|summary| summary.id)
            }
        })
    });
    let rows = move || {
        let list = stores.chats.list;
        list.with(|chats| chats.iter().map(|chat| chat.id).collect::<Vec<_>>())
    };

    view! {
        <ul class="chat-list" on:keydown=walk>
            <For each=rows key=|id| *id let:id>
                <ChatRow id tab_stop />
            </For>
        </ul>
    }
}

/// Moves between the rows with Up, Down, Home and End.
fn walk(event: KeyboardEvent) {
    let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
    let target = target.filter(|t| t.class_list().contains("chat-open"));
    let Some(row) = target.and_then(|t| t.closest("li").ok()).flatten() else {
        return;
    };
    let list = row.parent_element();
    let to = match event.key().as_str() {
        "ArrowDown" => row.next_element_sibling(),
        "ArrowUp" => row.previous_element_sibling(),
        "Home" => list.and_then(|list| list.first_element_child()),
        "End" => list.and_then(|list| list.last_element_child()),
        _ => return,
    };
    event.prevent_default();
    let button = to
        .and_then(|row| row.query_selector(".chat-open").ok())
        .flatten();
    if let Some(button) = button.and_then(|b| b.dyn_into::<HtmlElement>().ok()) {
        button.focus().log_error();
    }
}
