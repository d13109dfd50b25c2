//! Another version of a question.

use crate::browser::page;
use crate::ui::composer::is_enter;
use crate::ui::dom::{El, button, el, typed};
use crate::ui::session::Session;
use leptos::prelude::*;
use sash_chat::Id;
use web_sys::{Event, KeyboardEvent};

/// The question as a field. Sending makes a branch; nothing that was there is touched.
pub fn edit(session: Session, id: Id, text: &str, editing: RwSignal<bool>) -> El {
    let draft = RwSignal::new(text.to_owned());
    let name = format!("edit-{id}");
    page::focus_soon(name.clone());
    let may_send = move || session.may_ask() && draft.with(|text| !text.trim().is_empty());
    let send = move || {
        if untrack(may_send) {
            let prompt = draft.get_untracked();
            if session.ask_instead_of(id, prompt) {
                editing.set(false);
                page::focus_soon("prompt".to_owned());
            }
        }
    };
    let leave = move || {
        editing.set(false);
        // The field is gone, and the button that opened it is back.
        page::focus_soon(format!("edit-{id}-button"));
    };
    let field = el("textarea")
        .attr("id", &name)
        .attr("aria-label", "Edit message")
        .value(move || draft.get())
        .on("input", move |event: Event| draft.set(typed(&event)))
        .on("keydown", move |event: KeyboardEvent| {
            if is_enter(&event) {
                event.prevent_default();
                send();
            } else if event.key() == "Escape" {
                event.prevent_default();
                leave();
            }
        });
    let buttons = el("div")
        .class("edit-buttons")
        .child(button("").text("Cancel").click(leave))
        .child(
            button("primary")
                .text("Send as a new version")
                .flag("disabled", move || !may_send())
                .click(send),
        );
    el("div").class("edit").child(field).child(buttons)
}
