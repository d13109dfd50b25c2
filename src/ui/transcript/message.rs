//! One message.

use super::Follow;
use super::actions::actions;
use super::edit::edit;
use super::note::note;
use super::receipt::receipt_note;
use super::thinking::thinking;
use crate::browser::clock;
use crate::chat::{Id, Message, Outcome, Role};
use crate::ui::app::session;
use crate::ui::dom::{El, el, live};
use crate::ui::markdown::markdown_view;
use crate::ui::session::{Live, Session, State};
use crate::ui::signal::{Memo, RwSignal};
use std::rc::Rc;

/// A message with all that stands around it. Kept whole while its answer runs: only the signals of
/// [`Live`] move.
pub fn message_view(id: Id, follow: &Follow) -> El {
    let session = session();
    match session.message(id) {
        Some(message) => frame(session, message, follow),
        None => el("article"),
    }
}

fn frame(session: Session, message: Message, follow: &Follow) -> El {
    let (id, role) = (message.id, message.role);
    let parts = session.live(&message);
    let editing = RwSignal::new(false);
    let receipt_shown = RwSignal::new(false);
    let heading = format!("h-{id}");
    let place = Memo::new(move |_| {
        session.window.with(
            |window| match (window.contains(id), window.next_out.contains(&id)) {
                (true, true) => "next",
                (true, false) => "in",
                (false, _) => "out",
            },
        )
    });
    keep_up(session, id, &parts, follow);
    let read = move || {
        session
            .read_by
            .with(|read| read.as_ref().is_some_and(|(_, ids)| ids.contains(&id)))
    };
    // It never changes: what led to a message leads to it for ever.
    let position = session
        .path
        .with_untracked(|path| path.iter().rposition(|p| *p == id));
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
            if place.get() == "out" {
                " – not sent with the next prompt"
            } else {
                ""
            }
            .to_owned()
        });
    let text = parts.clone();
    let question = message.content;
    el("article")
        .class("message")
        .attr("aria-labelledby", &heading)
        .attr(
            "aria-posinset",
            &position.map_or(1, |at| at + 1).to_string(),
        )
        .live_attr("aria-setsize", move || {
            session.path.with(Vec::len).to_string()
        })
        .attr("data-role", role.as_str())
        .live_attr("data-state", move || state.with(word).to_owned())
        .live_attr("data-window", move || place.get().to_owned())
        .opt_attr("data-read", move || read().then(|| "true".to_owned()))
        .child(name)
        .choose(
            move || editing.get(),
            move |editing_now| {
                Some(match (editing_now, role) {
                    (true, _) => edit(session, id, &question, editing),
                    (false, Role::Assistant) => answer(&text),
                    (false, _) => el("div")
                        .class("message-text said")
                        .attr("dir", "auto")
                        .text(&question),
                })
            },
        )
        .child(note(session, id, &parts))
        .child(actions(
            session,
            id,
            &parts,
            role == Role::Assistant,
            editing,
            receipt_shown,
        ))
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
    let kept = parts.clone();
    live(move || {
        session.open.with(|chat| {
            if let Some(message) = chat.get(id) {
                kept.bring_up_to(message);
            }
        });
    });
}

fn answer(parts: &Live) -> El {
    let text = el("div")
        .class("message-text")
        .attr("dir", "auto")
        .child(markdown_view(parts.text.clone(), parts.running()));
    el("div").child(thinking(parts)).child(text)
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
