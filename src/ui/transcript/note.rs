//! How an answer stands, where there is something to say.

use crate::browser::clock;
use crate::ui::dom::{El, button, el};
use crate::ui::session::{Live, Session, State, Wait};
use leptos::prelude::*;
use sash_chat::window::Opening;
use sash_chat::{Id, Outcome};
use sash_wire::{Fault, short_name};
use std::time::Duration;

/// Waiting, stopped, interrupted, cut off, failed.
pub fn note(session: Session, id: Id, parts: &Live) -> El {
    let state = parts.state.clone();
    el("div").choose(
        move || state.get(),
        move |state| match state {
            State::Waiting(since) => Some(waiting(session, id, *since)),
            State::Writing | State::Ended(Outcome::Complete) => None,
            State::Ended(Outcome::CutOff) => Some(broken(session, id, "Cut off by a length limit")),
            State::Ended(Outcome::Stopped) => Some(broken(session, id, "Stopped")),
            State::Ended(Outcome::Interrupted) => Some(interrupted(session, id)),
            State::Ended(Outcome::Failed(failure)) => {
                let sentence = &failure.sentence;
                let note = match failure.code.as_deref() {
                    Some(Fault::QUESTION_FIRST) => question_first(session, id, sentence),
                    _ => broken(session, id, sentence),
                };
                Some(note.class("note note-failed"))
            }
        },
    )
}

fn again(session: Session, id: Id, text: &str) -> El {
    el("p")
        .child(el("span").text(text))
        .child(ask_again(session, id))
}

fn ask_again(session: Session, id: Id) -> El {
    button("link")
        .flag("disabled", move || !session.may_ask())
        .text("Ask again")
        .click(move || session.answer_again(id))
}

/// A request that began with an answer, which the model's chat template refused: the way out comes first, until it
/// was taken for this model.
fn question_first(session: Session, id: Id, text: &str) -> El {
    let model = session.message(id).and_then(|message| message.model);
    let is_refused = move || {
        let settings = session.settings;
        settings.with(|settings| settings.opening_for(model.as_deref()) == Opening::Any)
    };
    let include = move || {
        button("link")
            .flag("disabled", move || !session.may_ask())
            .text("Include the question before")
            .click(move || session.include_question(id))
    };
    el("p")
        .child(el("span").text(text))
        .when(is_refused, include)
        .child(ask_again(session, id))
}

/// An answer that came in part: it can go on where it ended, if it has begun.
fn broken(session: Session, id: Id, text: &str) -> El {
    let begun = session.message(id).is_some_and(|m| m.is_sendable());
    let go_on = begun.then(|| {
        button("link")
            .flag("disabled", move || !session.may_ask())
            .text("Continue")
            .click(move || session.continue_answer(id))
    });
    again(session, id, text).class("note").maybe(go_on)
}

/// An answer without its end: lost, or another tab is at it.
fn interrupted(session: Session, id: Id) -> El {
    let elsewhere = Memo::new(move |_| session.is_elsewhere(session.open_id()));
    el("div").choose(
        move || elsewhere.get(),
        move |elsewhere| {
            Some(match elsewhere {
                true => el("p").class("note").text("Being written in another tab"),
                false => broken(session, id, "Interrupted"),
            })
        },
    )
}

/// Ollama says nothing before the first token, so the time is the page's own, and so is what it is spent on.
fn waiting(session: Session, id: Id, since: f64) -> El {
    let model = session
        .message(id)
        .and_then(|m| m.model)
        .unwrap_or_default();
    let seconds = RwSignal::new(0u32);
    let tick = move || {
        let now = ((clock::monotonic() - since) / 1000.0) as u32;
        // Whether the model is loaded may change at any time, and decides what is said.
        if seconds.try_set(now).is_none() && now % 2 == 1 {
            session.look_for_ollama();
        }
    };
    let tick = set_interval_with_handle(tick, Duration::from_secs(1));
    on_cleanup(move || {
        if let Ok(tick) = tick {
            tick.clear();
        }
    });
    let name = short_name(&model).to_owned();
    let words = move || {
        let what = match session.wait_of(id, &model) {
            Wait::Unknown => format!("Waiting for {name} …"),
            Wait::Loading => format!("Loading {name} …"),
            Wait::Behind(title) => format!("Waiting: “{title}” is being answered first …"),
            Wait::Reading => format!("{name} is reading the prompt …"),
        };
        match seconds.get() {
            0 => what,
            s => format!("{what} {s} s"),
        }
    };
    el("p")
        .class("note waiting")
        .child(el("span").class("pulse"))
        .child(el("span").live_text(words))
}
