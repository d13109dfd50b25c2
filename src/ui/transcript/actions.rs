//! What can be done with a message: what is done often as buttons, there on hover, on focus, and always on the last
//! message; all else in a menu, in words.

use super::foot::Around;
use super::sash::Mark;
use super::versions::versions;
use crate::browser::{clipboard, markdown, page};
use crate::ui::compare::ask_what_if;
use crate::ui::dom::{El, el, live};
use crate::ui::parts::{Entry, Icon, icon_button, menu_button};
use crate::ui::session::{Live, Session};
use leptos::prelude::*;
use sash_chat::{Id, Receipt};

/// The row of buttons.
pub fn actions(session: Session, id: Id, parts: &Live, is_answer: bool, around: &Around) -> El {
    let (editing, receipt_shown) = (around.editing, around.receipt_shown);
    let mark = around.mark.clone();
    one_receipt_at_a_time(session, id, receipt_shown);
    let row = el("div")
        .class("actions")
        .child(versions(session, id))
        .child(copy_button(session, id, parts));
    let row = match is_answer {
        true => row.child(again_button(session, id)),
        false => row.child(edit_button(id, editing)),
    };
    let receipt = parts.receipt.clone();
    let more = move || {
        let mut entries = Vec::new();
        if is_answer {
            let receipt = receipt.get_untracked();
            entries
                .extend(receipt.map(|receipt| receipt_entry(session, id, receipt, receipt_shown)));
            entries.extend(ask_entries(session, id));
        }
        entries.extend(steer_entries(session, id, mark.get_untracked()));
        entries.push(Entry::new("Delete", move || {
            session.delete_message(id);
            // The message is gone, and its button with it.
            page::focus("conversation");
        }));
        entries
    };
    row.child(menu_button("More", &format!("more-{id}"), more))
}

/// Pin and mute, of what can be sent at all.
fn steer_entries(session: Session, id: Id, mark: Mark) -> Vec<Entry> {
    if !is_sendable(session, id) {
        return Vec::new();
    }
    let (pin, mute) = (!mark.pinned, !mark.muted);
    vec![
        Entry::new("Pin: always sent", move || session.pin(id, pin)).checked(mark.pinned),
        Entry::new("Mute: never sent", move || session.mute(id, mute)).checked(mark.muted),
    ]
}

/// Asking again in other ways.
fn ask_entries(session: Session, id: Id) -> Vec<Entry> {
    let off = untrack(|| !session.may_ask());
    let what_if = Entry::new("What if it had read something else…", move || {
        ask_what_if(session, id);
    });
    let go_on = Entry::new("Continue this answer", move || session.continue_answer(id));
    let mut entries = vec![what_if.off(off)];
    entries.extend(is_sendable(session, id).then(|| go_on.off(off)));
    entries
}

fn is_sendable(session: Session, id: Id) -> bool {
    session.message(id).is_some_and(|m| m.is_sendable())
}

fn copy_button(session: Session, id: Id, parts: &Live) -> El {
    let text = parts.text.clone();
    icon_button("Copy", Icon::Copy).click(move || {
        let text = text.get_untracked();
        let rich = markdown::copy_beside(&format!("h-{id}"), &text);
        leptos::task::spawn_local(async move {
            let copied = match rich {
                Some(copying) => copying.await,
                None => clipboard::copy(text).await,
            };
            session.announce(if copied { "Copied" } else { "Copying failed" }.to_owned());
        });
    })
}

fn edit_button(id: Id, editing: RwSignal<bool>) -> El {
    icon_button("Edit", Icon::Pencil)
        .attr("id", &format!("edit-{id}-button"))
        .attr("title", "Edit: another version beside this one")
        .click(move || editing.set(true))
}

fn again_button(session: Session, id: Id) -> El {
    icon_button("Ask again", Icon::Again)
        .attr("title", "Ask again: another answer beside this one")
        .flag("disabled", move || !session.may_ask())
        .click(move || session.answer_again(id))
}

fn receipt_entry(session: Session, id: Id, receipt: Receipt, shown: RwSignal<bool>) -> Entry {
    let show = move || {
        shown.update(|shown| *shown = !*shown);
        let named = || (id, receipt.sent.clone());
        session.read_by.set(shown.get_untracked().then(named));
    };
    Entry::new("What it read", show).checked(shown.get_untracked())
}

/// One receipt at a time marks its messages.
fn one_receipt_at_a_time(session: Session, id: Id, shown: RwSignal<bool>) {
    live(move || {
        let read_by =
            |read: &Option<(Id, Vec<Id>)>| read.as_ref().is_some_and(|(reader, _)| *reader == id);
        if !session.read_by.with(read_by) && shown.get_untracked() {
            shown.set(false);
        }
    });
}
