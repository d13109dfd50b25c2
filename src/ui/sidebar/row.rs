//! One chat in the list.

use crate::ui::app::session;
use crate::ui::dom::{El, button, el};
use crate::ui::parts::{Icon, icon_button};
use crate::ui::session::Session;
use leptos::prelude::*;
use sash_chat::Id;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, KeyboardEvent};

/// A row: open, rename in place, delete. `stop` is the row that Tab goes to, `shown` the chat that is open: a
/// value of its own, because the open chat changes with every step of the window's edge, and there may be 500
/// rows.
pub fn chat_row(id: Id, title: &str, stop: Memo<Option<Id>>, shown: Memo<Id>) -> El {
    let session = session();
    let renaming = RwSignal::new(false);
    let title = title.to_owned();
    el("li")
        .class("chat-row")
        .live_attr("data-open", move || (shown.get() == id).to_string())
        .choose(
            move || renaming.get(),
            move |now| {
                Some(if *now {
                    rename(session, id, &title, renaming)
                } else {
                    face(session, id, &title, (stop, shown), renaming)
                })
            },
        )
}

fn face(
    session: Session,
    id: Id,
    title: &str,
    (stop, shown): (Memo<Option<Id>>, Memo<Id>),
    renaming: RwSignal<bool>,
) -> El {
    let tabindex = move || if stop.get() == Some(id) { "0" } else { "-1" }.to_owned();
    let answering = move || session.answering.with(|all| all.contains_key(&id));
    let open = button("chat-open")
        .live_attr("tabindex", tabindex)
        .opt_attr("aria-current", move || {
            (shown.get() == id).then(|| "true".to_owned())
        })
        .child(el("span").class("chat-title").text(title))
        .when(answering, || {
            el("span")
                .child(el("span").class("pulse"))
                .child(el("span").class("visually-hidden").text(" answering"))
        })
        .click(move || session.open_chat(id));
    let action = |word: &str, face: Icon| {
        icon_button(word, face)
            .attr("aria-label", &format!("{word} {title}"))
            .live_attr("tabindex", tabindex)
    };
    let actions = el("span")
        .class("chat-actions")
        .child(action("Rename", Icon::Pencil).click(move || renaming.set(true)))
        .child(action("Delete", Icon::Trash).click(move || session.delete_chat(id)));
    el("div").class("chat-face").child(open).child(actions)
}

/// The name as a field: Enter keeps, Esc drops, leaving keeps.
pub fn rename(session: Session, id: Id, title: &str, renaming: RwSignal<bool>) -> El {
    let field = el("input")
        .class("rename")
        .attr("aria-label", "Chat name")
        .attr("maxlength", "200")
        .attr("value", title);
    let input: HtmlInputElement = field.element().unchecked_into();
    let begin = input.clone();
    request_animation_frame(move || {
        // Focus is refused only to what cannot have it.
        let _ = begin.focus();
        begin.select();
    });
    let keep = Rc::new(move || {
        // Leaving the field after Enter or Esc must not count again.
        if renaming.get_untracked() {
            renaming.set(false);
            session.rename(id, &input.value());
        }
    });
    let leave = Rc::clone(&keep);
    field
        .on("keydown", move |event: KeyboardEvent| {
            match event.key().as_str() {
                "Enter" if !event.is_composing() => keep(),
                "Escape" => {
                    event.prevent_default();
                    renaming.set(false);
                }
                _ => {}
            }
        })
        .on("blur", move |_: Event| leave())
}
