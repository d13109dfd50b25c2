//! The chats, at the left.

mod keys;
mod row;

use super::app::session;
use super::dom::{El, button, el};
use super::parts::{Icon, icon, icon_button, mark};
use crate::browser::page;
use crate::ui::session::Session;
pub use keys::keys_dialog;
use leptos::prelude::*;
use row::chat_row;
pub use row::rename;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

/// The list.
pub fn sidebar() -> El {
    let session = session();
    // One stop for Tab in the whole list; the arrow keys walk in it.
    let shown = Memo::new(move |_| session.open_id());
    let stop = Memo::new(move |_| {
        let open = shown.get();
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
    let new_chat = button("new-chat")
        .child(icon(Icon::Plus))
        .text("New chat")
        .click(move || session.begin_chat());
    let head = el("div")
        .class("sidebar-head")
        .child(el("span").class("wordmark").child(mark()).text("Sash"))
        .child(
            icon_button("Search", Icon::Search)
                .attr("title", "Search all chats (Ctrl+K)")
                .attr("aria-haspopup", "dialog")
                .click(move || session.open_library("search")),
        )
        .child(new_chat);
    let list = el("ul").class("chat-list").on("keydown", walk).each(
        move || {
            session
                .chats
                .with(|chats| chats.iter().map(|s| (s.id, s.title.clone())).collect())
        },
        move |(id, title)| chat_row(*id, title, stop, shown),
    );
    el("nav")
        .class("sidebar")
        .attr("id", "chats")
        .attr("aria-label", "Chats")
        .on("keydown", close)
        .child(head)
        .child(list)
        .child(foot(session))
}

/// What there is beside the chats: in the library.
fn foot(session: Session) -> El {
    let link = |name: &str, tab: &'static str| {
        button("link")
            .attr("aria-haspopup", "dialog")
            .text(name)
            .click(move || session.open_library(tab))
    };
    el("div")
        .class("sidebar-foot")
        .child(link("Trash", "trash"))
        .child(link("Storage", "storage"))
        .child(link("Export", "transfer"))
        .child(
            button("link")
                .attr("aria-haspopup", "dialog")
                .text("Keyboard")
                .click(move || session.keys_shown.set(true)),
        )
}

/// Up, Down, Home and End move between the rows.
fn walk(event: KeyboardEvent) {
    let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
    let target = target.filter(|t| t.class_list().contains("chat-open"));
    let Some(row) = target.and_then(|t| t.closest("li").ok()).flatten() else {
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
    if let Some(button) = button.and_then(|b| b.dyn_into::<HtmlElement>().ok()) {
        // Focus is refused only to what cannot have it.
        let _ = button.focus();
    }
}
