//! Two answers to one question, each with what it read.

use crate::browser::page;
use crate::ui::composer::{grouped, plural};
use crate::ui::dom::{El, button, el};
use crate::ui::markdown::markdown_view;
use crate::ui::session::{Session, State, WhatIf, excerpt};
use crate::ui::transcript::facts_of;
use leptos::prelude::*;
use sash_chat::{Id, Outcome, Receipt};

/// How many messages are named that only one of the two has read.
const NAMED: usize = 3;

/// Both answers; neither is chosen yet.
pub fn sides(session: Session, first: Id, second: Id) -> El {
    // The first is the one the branch has.
    let close = move || session.what_if.set(WhatIf::Closed);
    let keep = move || {
        session.walk_to(second);
        close();
        // What opened the dialog is gone with its branch.
        page::focus_soon("prompt".to_owned());
    };
    el("div")
        .class("sides")
        .child(side(
            session,
            "The answer so far",
            [first, second],
            Box::new(close),
        ))
        .child(side(
            session,
            "The other answer",
            [second, first],
            Box::new(keep),
        ))
}

fn side(session: Session, title: &str, [id, other]: [Id; 2], keep: Box<dyn Fn()>) -> El {
    let Some(message) = session.message(id) else {
        return el("div");
    };
    let parts = session.live(&message);
    let (state, receipt) = (parts.state.clone(), parts.receipt.clone());
    let facts = parts.receipt.clone();
    let running = parts.running();
    let model = message.model.unwrap_or_default();
    let stop = move || {
        button("")
            .text("Stop")
            .click(move || session.stop(untrack(|| session.open_id())))
    };
    let others = session.asked(other).and_then(|asked| asked.1);
    let others = others.unwrap_or_default();
    el("div")
        .class("side")
        .attr("role", "group")
        .attr("aria-label", title)
        .child(
            el("div")
                .class("side-head")
                .child(el("h3").text(title))
                .child(el("span").class("count").text(&model))
                .when(move || running.get(), stop)
                .child(button("").text("Keep this one").click(keep)),
        )
        .child(el("div").class("reading").choose(
            move || receipt.get(),
            move |receipt| Some(reading(session, receipt.as_ref()?, &others)),
        ))
        .child(
            el("div")
                .attr("dir", "auto")
                .child(markdown_view(parts.text.clone(), running))
                .child(el("p").class("note").live_text(move || state.with(words))),
        )
        .child(el("p").class("reading").live_text(move || {
            facts.with(|r| {
                r.as_ref()
                    .map_or_else(String::new, |r| facts_of(r).join(" · "))
            })
        }))
}

/// What an answer read, and what of it the other did not.
fn reading(session: Session, receipt: &Receipt, other: &Receipt) -> El {
    let messages = match receipt.sent.len().saturating_sub(1) {
        0 => "the question alone".to_owned(),
        n => format!("{} and the question", plural(n, "message")),
    };
    let alone = missing(session, &receipt.sent, &other.sent);
    let lacks = missing(session, &other.sent, &receipt.sent);
    el("div")
        .child(el("strong").text(&format!("Read {messages}")))
        .maybe(listed(session, "Only here:", &alone))
        .maybe(listed(session, "Without:", &lacks))
}

fn listed(session: Session, title: &str, ids: &[Id]) -> Option<El> {
    if ids.is_empty() {
        return None;
    }
    let mut words = String::from(title);
    for id in ids.iter().take(NAMED) {
        let text = session.message(*id).map(|m| m.content).unwrap_or_default();
        words += &format!(" “{}”", excerpt(&text, &[]));
    }
    if ids.len() > NAMED {
        words += &format!(" and {} more", grouped((ids.len() - NAMED) as u64));
    }
    Some(el("p").attr("dir", "auto").text(&words))
}

/// How an answer stands, where there is something to say.
fn words(state: &State) -> String {
    match state {
        State::Waiting(_) => "Waiting …",
        State::Writing | State::Ended(Outcome::Complete) => "",
        State::Ended(Outcome::CutOff) => "Cut off by a length limit",
        State::Ended(Outcome::Stopped) => "Stopped",
        State::Ended(Outcome::Interrupted) => "Interrupted",
        State::Ended(Outcome::Failed(failure)) => &failure.sentence,
    }
    .to_owned()
}

/// What of `ids` is not among `others`.
fn missing(session: Session, ids: &[Id], others: &[Id]) -> Vec<Id> {
    let mut missing = ids.to_vec();
    session
        .open
        .with_untracked(|chat| missing.retain(|id| !chat.is_among(*id, others)));
    missing
}
