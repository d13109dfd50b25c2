//! The empty chat.

use crate::ui::app::session;
use crate::ui::composer::steady;
use crate::ui::dom::{El, el, live};
use crate::ui::parts::mark;
use crate::ui::session::Session;
use leptos::prelude::*;
use sash_chat::Policy;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement};

/// What a newcomer sees first: that one can begin, and how much of the chat goes with each question.
pub fn welcome() -> El {
    let session = session();
    let ready = move || session.ollama.is_reachable() && session.model().is_some();
    el("div").when(ready, move || {
        el("div")
            .class("welcome")
            .child(mark())
            .child(el("h2").text("What would you like to ask?"))
            .child(el("p").attr("id", "welcome-words").text(
                "A model remembers nothing by itself: Sash sends it a part of the chat with each question. How much?",
            ))
            .child(choices(session))
            .child(el("p").class("welcome-foot").text(
                "New chats use what you choose here. The whole chat stays in this browser, whatever is sent.",
            ))
    })
}

/// The rules that most people need, each with what it keeps and costs.
fn choices(session: Session) -> El {
    let rules = [
        (
            "Last 3 messages",
            Policy::Messages(3),
            "Quickest. The model forgets what is older.",
        ),
        (
            "Last 10 messages",
            Policy::Messages(10),
            "Remembers five exchanges. Two to three times as much to read for each answer.",
        ),
        (
            "Steady",
            steady(12),
            "Remembers 4 to 12 messages. Answers begin soonest: little is read twice.",
        ),
        (
            "Everything that fits",
            Policy::Fits,
            "Remembers the whole chat until the model can take no more, then its newer half. Answers slow down as it grows.",
        ),
    ];
    let chosen = Memo::new(move |_| session.open.with(|chat| chat.head.policy));
    let group = el("div")
        .class("welcome-rules")
        .attr("role", "radiogroup")
        .attr("aria-labelledby", "welcome-words");
    rules.into_iter().fold(group, |group, (name, rule, words)| {
        let field = el("input").attr("type", "radio").attr("name", "first-rule");
        let input: HtmlInputElement = field.element().unchecked_into();
        live(move || input.set_checked(chosen.get() == rule));
        let field = field.on("change", move |_: Event| session.begin_with(rule));
        group.child(
            el("label")
                .child(field)
                .child(el("strong").text(name))
                .child(el("span").text(words)),
        )
    })
}
