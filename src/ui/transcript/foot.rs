//! The line below a message: what can be done with it, what it costs, and which model wrote it; while it is being
//! written, that it is.

use super::actions::actions;
use super::sash::Mark;
use crate::ui::composer::plural;
use crate::ui::dom::{El, el};
use crate::ui::session::{Live, Session, State};
use leptos::prelude::*;
use sash_chat::window::Size;
use sash_chat::{Id, Message, Role};
use sash_wire::short_name;

/// What the line needs of the message around it.
#[derive(Clone)]
pub struct Around {
    /// How the message stands to the window.
    pub mark: ArcRwSignal<Mark>,
    /// Whether the person came near: only then is worked out what nobody would see.
    pub near: RwSignal<bool>,
    /// Whether the message is being edited.
    pub editing: RwSignal<bool>,
    /// Whether its receipt is shown.
    pub receipt_shown: RwSignal<bool>,
}

/// How far the message is, as the line shows it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Another part of the message says how it stands.
    Hidden,
    /// It is being written; whether more than thinking has come.
    Running(bool),
    /// It is there.
    Done,
}

/// The line. It is as high while an answer runs as after it, so that nothing moves at its end.
pub fn foot(session: Session, message: &Message, parts: &Live, around: Around) -> El {
    let (id, is_answer) = (message.id, message.role == Role::Assistant);
    let model = message.model.clone();
    let (parts, text) = (parts.clone(), parts.text.clone());
    let state = parts.state.clone();
    let editing = around.editing;
    let begun = Memo::new(move |_| text.with(|text| !text.is_empty()));
    let stage = move || {
        state.with(|state| match state {
            State::Waiting(_) => Stage::Hidden,
            State::Ended(_) if editing.get() => Stage::Hidden,
            State::Writing => Stage::Running(begun.get()),
            State::Ended(_) => Stage::Done,
        })
    };
    el("div").choose(stage, move |stage| {
        let start = match stage {
            Stage::Hidden => return None,
            Stage::Running(begun) => running(*begun),
            Stage::Done => actions(session, id, &parts, is_answer, &around),
        };
        let foot = el("div").class("message-foot").child(start);
        let foot = match stage {
            Stage::Done => foot.maybe(cost(session, id, around.near)),
            _ => foot,
        };
        Some(foot.maybe(model.as_deref().map(model_line)))
    })
}

/// At the end of what has come. Not a live region: it would be read out with each answer.
fn running(begun: bool) -> El {
    let words = if begun { "Writing …" } else { "Thinking …" };
    el("span")
        .class("writing")
        .child(el("span").class("pulse"))
        .child(el("span").text(words))
}

fn model_line(model: &str) -> El {
    el("span")
        .class("answer-model")
        .attr("title", model)
        .text(short_name(model))
}

/// What the message costs, once somebody is near. Nothing where it is never sent.
fn cost(session: Session, id: Id, near: RwSignal<bool>) -> Option<El> {
    let message = session.message(id).filter(Message::is_sendable)?;
    let size = Size::of_message(&message);
    let cost = move || {
        el("span").live_text(move || {
            let tokens = session.estimate.get().part(size);
            format!("about {}", plural(tokens as usize, "token"))
        })
    };
    Some(el("span").class("cost").when(move || near.get(), cost))
}
