//! What can be done with a message. There on hover, on focus, and always on the last one.

use super::sash::Mark;
use super::versions::versions;
use crate::browser::{clipboard, markdown};
use crate::chat::Id;
use crate::ui::compare::what_if_button;
use crate::ui::composer::grouped;
use crate::ui::dom::{El, el, live};
use crate::ui::parts::{Icon, icon_button};
use crate::ui::session::{Live, Session};
use crate::ui::signal::{ArcRwSignal, RwSignal};
use crate::window::Size;

/// What the row needs to steer the window by its message.
#[derive(Clone)]
pub struct Steering {
    /// How the message stands to the window.
    pub mark: ArcRwSignal<Mark>,
    /// Whether the person came near.
    pub near: RwSignal<bool>,
}

/// The row of buttons; none while the answer runs or the question is edited.
pub fn actions(
    session: Session,
    id: Id,
    parts: &Live,
    is_answer: bool,
    editing: RwSignal<bool>,
    receipt_shown: RwSignal<bool>,
    steering: Steering,
) -> El {
    let running = parts.running();
    let parts = parts.clone();
    // One receipt at a time marks its messages.
    live(move || {
        let read_by =
            |read: &Option<(Id, Vec<Id>)>| read.as_ref().is_some_and(|(reader, _)| *reader == id);
        if !session.read_by.with(read_by) && receipt_shown.get_untracked() {
            receipt_shown.set(false);
        }
    });
    el("div").when(
        move || !running.get() && !editing.get(),
        move || {
            let row = el("div")
                .class("actions")
                .child(versions(session, id))
                .child(copy_button(session, id, &parts));
            let row = if is_answer {
                row.child(again_button(session, id))
                    .child(what_if_button(session, id))
                    .child(receipt_button(session, id, &parts, receipt_shown))
            } else {
                row.child(edit_button(id, editing))
            };
            // What cannot be sent cannot be steered.
            let is_sendable = session.message(id).is_some_and(|m| m.is_sendable());
            let row = match is_sendable {
                true => steer(session, row, id, &steering),
                false => row,
            };
            let row = row.child(delete_button(session, id));
            match is_sendable {
                true => row.child(cost(session, id, steering.near)),
                false => row,
            }
        },
    )
}

/// Pin and mute.
fn steer(session: Session, row: El, id: Id, steering: &Steering) -> El {
    let [pinned, to_pin, muted, to_mute] = [(); 4].map(|()| steering.mark.clone());
    let pin = icon_button("Pin", Icon::Pin)
        .attr("title", "Pin: always sent, in its place")
        .live_attr("aria-pressed", move || pinned.get().pinned.to_string())
        .click(move || session.pin(id, !to_pin.get_untracked().pinned));
    let mute = icon_button("Mute", Icon::Mute)
        .attr("title", "Mute: never sent")
        .live_attr("aria-pressed", move || muted.get().muted.to_string())
        .click(move || session.mute(id, !to_mute.get_untracked().muted));
    row.child(pin).child(mute)
}

/// What the message costs, once somebody is near.
fn cost(session: Session, id: Id, near: RwSignal<bool>) -> El {
    let cost = move || {
        let size = session
            .message(id)
            .map(|message| Size::of_message(&message));
        let size = size.unwrap_or_default();
        el("span").class("cost").live_text(move || {
            let tokens = session.estimate.get().part(size);
            format!("about {} tokens", grouped(tokens))
        })
    };
    el("span").when(move || near.get(), cost)
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

fn delete_button(session: Session, id: Id) -> El {
    icon_button("Delete", Icon::Trash)
        .attr("title", "Delete: to the trash; what follows stays")
        .click(move || session.delete_message(id))
}

fn again_button(session: Session, id: Id) -> El {
    icon_button("Ask again", Icon::Again)
        .attr("title", "Ask again: another answer beside this one")
        .flag("disabled", move || !session.may_ask())
        .click(move || session.answer_again(id))
}

fn receipt_button(session: Session, id: Id, parts: &Live, shown: RwSignal<bool>) -> El {
    let receipt = parts.receipt.clone();
    icon_button("What it read", Icon::Receipt)
        .live_attr("aria-expanded", move || shown.get().to_string())
        .click(move || {
            shown.update(|shown| *shown = !*shown);
            let sent = receipt.with_untracked(|receipt| receipt.as_ref().map(|r| r.sent.clone()));
            session.read_by.set(
                shown
                    .get_untracked()
                    .then(|| (id, sent.unwrap_or_default())),
            );
        })
}
