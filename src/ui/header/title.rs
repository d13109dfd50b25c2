//! The chat's title, which can be changed where it stands, and the menu of what else can be done with the chat.

use crate::browser::keys::is_text_field;
use crate::browser::page;
use crate::ui::dom::{El, el, live};
use crate::ui::parts::{Entry, Icon, icon_button, menu_button};
use crate::ui::session::Session;
use crate::ui::sidebar::rename;
use leptos::prelude::*;
use sash_chat::Chat;
use web_sys::{Event, KeyboardEvent};

/// The heading, and in its place a field while it is being changed.
pub fn chat_title(session: Session) -> El {
    let renaming = RwSignal::new(false);
    let title = Memo::new(move |_| session.open.with(Chat::title));
    let begun = Memo::new(move |_| session.path.with(|path| !path.is_empty()));
    let field = move || {
        let id = untrack(|| session.open_id());
        rename(session, id, &title.get_untracked(), renaming)
    };
    let change = move || {
        icon_button("Rename this chat", Icon::Pencil)
            .class("icon-button title-change")
            .click(move || renaming.set(true))
    };
    let heading = el("h1")
        .attr("id", "chat-title")
        .attr("tabindex", "-1")
        .flag("hidden", move || renaming.get())
        .live_text(move || title.get())
        .on("dblclick", move |_: Event| {
            if begun.get_untracked() {
                renaming.set(true);
            }
        });
    live(move || {
        // Another chat is open: its title is not the one that was being changed.
        title.get();
        renaming.set(false);
    });
    el("div")
        .class("title-place")
        .on("keydown", move |event: KeyboardEvent| {
            // Whoever clicks elsewhere is elsewhere.
            if is_text_field(event.target()) && matches!(&*event.key(), "Enter" | "Escape") {
                page::focus_soon("chat-title".to_owned());
            }
        })
        .child(heading)
        .when(move || renaming.get(), field)
        .child(menu_button("This chat", "chat-menu", move || {
            entries(session, begun, renaming)
        }))
        .when(move || begun.get() && !renaming.get(), change)
}

/// What can be done with the chat. What needs a message is off before there is one.
fn entries(session: Session, begun: Memo<bool>, renaming: RwSignal<bool>) -> Vec<Entry> {
    let empty = !begun.get_untracked();
    let chat = untrack(|| session.open_id());
    vec![
        Entry::new("System prompt…", move || session.system_shown.set(true)),
        Entry::new("Rename", move || renaming.set(true)).off(empty),
        Entry::new("Start afresh here", move || session.clear_window()).off(empty),
        Entry::new("Delete this chat", move || session.delete_chat(chat)).off(empty),
    ]
}
