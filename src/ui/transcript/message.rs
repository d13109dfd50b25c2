//! One message.

use super::Follow;
use super::edit::edit;
use super::foot::{Around, foot};
use super::note::note;
use super::receipt::receipt_note;
use super::said::{Unfolded, said};
use super::sash::Marks;
use super::thinking::thinking;
use crate::browser::clock;
use crate::ui::app::session;
use crate::ui::dom::{El, el, live};
use crate::ui::markdown::markdown_view;
use crate::ui::parts::{Icon, icon};
use crate::ui::session::{Live, Session, State};
use leptos::prelude::*;
use sash_chat::{Id, Message, Outcome, Role};
use std::rc::Rc;
use web_sys::Event;

/// A message with all that stands around it. Kept whole while its answer runs: only the signals of
/// [`Live`] move.
pub fn message_view(id: Id, marks: &Marks, follow: &Follow, unfolded: Unfolded) -> El {
    let session = session();
    match session.message(id) {
        Some(message) => frame(session, message, marks, follow, unfolded),
        None => el("article"),
    }
}

fn frame(
    session: Session,
    message: Message,
    marks: &Marks,
    follow: &Follow,
    unfolded: Unfolded,
) -> El {
    let (id, role) = (message.id, message.role);
    let parts = session.live(&message);
    let editing = RwSignal::new(false);
    let receipt_shown = RwSignal::new(false);
    let heading = format!("h-{id}");
    let mark = marks.of(id);
    let [heard, placed, stands, set, drawn] = [(); 5].map(|()| mark.clone());
    let near = RwSignal::new(false);
    keep_up(session, id, &parts, follow);
    edit_when_asked(session, id, editing);
    let read = move || {
        session.read_by.with(|read| {
            let ids = read.as_ref().map(|(_, ids)| ids);
            ids.is_some_and(|ids| session.open.with_untracked(|chat| chat.is_among(id, ids)))
        })
    };
    let state = parts.state.clone();
    let name = el("h3")
        .attr("id", &heading)
        .class("visually-hidden")
        .text(&format!(
            "{}, {}",
            speaker(&message),
            clock::time_of_day(message.created)
        ))
        .live_text(move || {
            let mark = heard.get();
            let set = mark.set().map(|set| format!(", {set}"));
            let sent = if mark.sent {
                ""
            } else {
                " – not sent with the next prompt"
            };
            set.unwrap_or_default() + sent
        });
    let text = parts.clone();
    let around = Around {
        mark,
        near,
        editing,
        receipt_shown,
    };
    let foot = foot(session, &message, &parts, around);
    let question = message.content;
    el("article")
        .class("message")
        .attr("aria-labelledby", &heading)
        .live_attr("aria-posinset", move || {
            (placed.get().place + 1).to_string()
        })
        .live_attr("aria-setsize", move || {
            session.path.with(Vec::len).to_string()
        })
        .attr("data-role", role.as_str())
        .live_attr("data-state", move || state.with(word).to_owned())
        .live_attr("data-window", move || stands.get().standing())
        .opt_attr("data-set", move || set.get().set().map(str::to_owned))
        .opt_attr("data-read", move || read().then(|| "true".to_owned()))
        .on("pointerenter", move |_: Event| near.set(true))
        .on("focusin", move |_: Event| near.set(true))
        .child(name)
        .choose(move || drawn.get().set(), margin)
        .choose(
            move || editing.get(),
            move |editing_now| {
                Some(match (editing_now, role) {
                    (true, _) => edit(session, id, &question, editing),
                    (false, Role::Assistant) => answer(&text),
                    (false, _) => said(id, &question, unfolded),
                })
            },
        )
        .child(note(session, id, &parts))
        .child(foot)
        .child(receipt_note(id, &parts, receipt_shown, follow))
}

/// Follows an answer that grows, and takes over what another tab wrote on.
fn keep_up(session: Session, id: Id, parts: &Live, follow: &Follow) {
    let (growing, follow) = (parts.clone(), Rc::clone(follow));
    live(move || {
        growing.text.track();
        growing.thinking.track();
        follow();
    });
    if session
        .message(id)
        .is_none_or(|m| m.outcome != Outcome::Interrupted)
    {
        return;
    }
    // Nothing else is ever written anew, and there may be a thousand of them.
    let kept = parts.clone();
    live(move || {
        session.open.with(|chat| {
            if let Some(message) = chat.get(id) {
                kept.bring_up_to(message);
            }
        });
    });
}

/// Opens the question as a field when that is asked for from elsewhere.
fn edit_when_asked(session: Session, id: Id, editing: RwSignal<bool>) {
    let asked = session.edit_asked;
    live(move || {
        if asked.get() == Some(id) {
            // After the reader was brought to it, which takes focus.
            request_animation_frame(move || {
                if asked.get_untracked() == Some(id) {
                    asked.set(None);
                    _ = editing.try_set(true);
                }
            });
        }
    });
}

fn answer(parts: &Live) -> El {
    let text = el("div")
        .class("message-text")
        .attr("dir", "auto")
        .child(markdown_view(parts.text.clone(), parts.running()));
    el("div").child(thinking(parts)).child(text)
}

/// What was set stands in the margin; the heading says it too.
fn margin(set: &Option<&str>) -> Option<El> {
    let face = match (*set)? {
        "pinned" => Icon::Pin,
        _ => Icon::Mute,
    };
    Some(el("span").class("margin-mark").child(icon(face)))
}

fn speaker(message: &Message) -> &str {
    match message.role {
        Role::Assistant => message.model.as_deref().unwrap_or("Answer"),
        Role::System => "System",
        Role::Tool => "Tool",
        Role::User => "You",
    }
}

fn word(state: &State) -> &'static str {
    match state {
        State::Waiting(_) => "waiting",
        State::Writing => "running",
        State::Ended(Outcome::Complete) => "complete",
        State::Ended(Outcome::CutOff) => "cut-off",
        State::Ended(Outcome::Stopped) => "stopped",
        State::Ended(Outcome::Interrupted) => "interrupted",
        State::Ended(Outcome::Failed(_)) => "failed",
    }
}
