//! The chats, at the left.

mod deleted;
mod row;

use super::app::session;
use super::parts::{Icon, icon};
use crate::browser::page;
use deleted::DeletedChats;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use row::ChatRow;
use wasm_bindgen::JsCast;

/// The list.
#[component]
pub fn Sidebar() -> impl IntoView {
    let session = session();
    // One stop for Tab in the whole list; the arrow keys walk in it.
    let stop = Memo::new(move |_| {
        let open = session.open_id();
        session.chats.with(|chats| {
            let listed = chats.iter().any(|summary| summary.id == open);
            if listed {
                Some(open)
            } else {
                chats.first().map(|summary| summary.id)
            }
        })
    });
    let close = move |event: KeyboardEvent| {
        if event.key() == "Escape" && session.chats_shown.get_untracked() {
            event.prevent_default();
            session.chats_shown.set(false);
            page::focus("chats-toggle");
        }
    };
    view! {
        <nav class="sidebar" id="chats" aria-label="Chats" on:keydown=close>
            <div class="sidebar-head">
                <span class="wordmark">
                    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
                        <path d="M4.5 3.5h15v17h-15z"/>
                        <path class="mark-pane" d="M7 10.5h10v7H7z"/>
                        <path d="M7 6.5h10"/>
                    </svg>
                    "Sash"
                </span>
                <button class="new-chat" on:click=move |_| session.begin_chat()>
                    {icon(Icon::Plus)} "New chat"
                </button>
            </div>
            <ul class="chat-list" on:keydown=walk>
                <For each=move || session.chats.get() key=|s| (s.id, s.title.clone()) let:summary>
                    <ChatRow summary stop/>
                </For>
            </ul>
            <DeletedChats/>
        </nav>
        <button
            class="sidebar-veil"
            tabindex="-1"
            aria-label="Close the list of chats"
            on:click=move |_| session.chats_shown.set(false)
        ></button>
    }
}

/// Up, Down, Home and End move between the rows.
fn walk(event: KeyboardEvent) {
    let target = event
        .target()
        .and_then(|t| t.dyn_into::<web_sys::Element>().ok());
    let Some(row) = target
        .filter(|t| t.class_list().contains("chat-open"))
        .and_then(|t| t.closest("li").ok())
        .flatten()
    else {
        return;
    };
    let to = match event.key().as_str() {
        "ArrowDown" => row.next_element_sibling(),
        "ArrowUp" => row.previous_element_sibling(),
        "Home" => row
            .parent_element()
            .and_then(|list| list.first_element_child()),
        "End" => row
            .parent_element()
            .and_then(|list| list.last_element_child()),
        _ => return,
    };
    event.prevent_default();
    let button = to
        .and_then(|row| row.query_selector(".chat-open").ok())
        .flatten();
    if let Some(button) = button.and_then(|b| b.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = button.focus();
    }
}
