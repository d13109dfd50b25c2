//! How full the next request makes the model's context, and how near it comes to what Sash takes.

use crate::ui::composer::{grouped, plural};
use crate::ui::dom::{El, button, el, svg};
use crate::ui::session::Session;
use leptos::prelude::*;
use sash_chat::window::{Fit, Opening};

/// A request whose text is larger than this is called large, in bytes.
const LARGE: usize = 100_000;

/// The word of a fit for styles, and what is to be said of it.
pub fn fit_words(fit: Fit) -> (&'static str, &'static str) {
    match fit {
        Fit::Unknown => ("unknown", ""),
        Fit::Fits => ("fits", ""),
        Fit::Near => ("near", "little room for an answer"),
        Fit::Over => ("over", "more than the model has room for"),
    }
}

/// The gauge with its words.
pub fn gauge(session: Session) -> El {
    let known = Memo::new(move |_| session.context().is_some());
    let words = move || {
        let (fit, tokens) = session.fit();
        let (_, said) = fit_words(fit);
        match session.context() {
            None => format!(
                "About {}. The model is not loaded yet, so how much it has room for is not known.",
                plural(tokens as usize, "token")
            ),
            Some(context) => {
                let sum = format!("About {} of {} tokens", grouped(tokens), grouped(context));
                match said {
                    "" => sum,
                    said => format!("{sum}: {said}"),
                }
            }
        }
    };
    el("div")
        .class("gauge")
        .live_attr("data-fit", move || fit_words(session.fit().0).0.to_owned())
        .when(move || known.get(), move || bar(session))
        .child(el("p").live_text(words))
        .when(
            move || session.given_context().is_some(),
            move || given(session),
        )
        .when(
            move || session.opening.get() == Opening::Question,
            move || question_first(session),
        )
        .choose(
            move || limit_words(session),
            |words| Some(el("p").class("limits").text(words.as_deref()?)),
        )
}

/// A context that was given by hand goes with every request until it is taken back.
fn given(session: Session) -> El {
    let back = button("link")
        .text("Leave it to Ollama again")
        .click(move || session.leave_context());
    let words = move || {
        let given = session.given_context().unwrap_or_default();
        format!(
            "You gave this model a context of {} tokens. ",
            grouped(given)
        )
    };
    el("p").live_text(words).child(back)
}

/// What was found out of the model's chat template goes for all its chats until it is taken back.
fn question_first(session: Session) -> El {
    let back = button("link")
        .text("Leave it out again")
        .click(move || session.leave_question_out());
    el("p")
        .text("This model wants a question first. Where the rule begins with an answer, the question before goes along. ")
        .child(back)
}

/// Drawn as attributes of a picture: the page's policy allows no styles in elements.
fn bar(session: Session) -> El {
    let tokens = move || session.fit().1;
    let room = move || session.context().unwrap_or(1).max(1);
    let share = move || format!("{}%", (tokens() * 100 / room()).min(100));
    let pane = |class| svg("rect").class(class).attr("height", "100%");
    svg("svg")
        .attr("role", "meter")
        .attr("aria-label", "Context")
        .attr("aria-valuemin", "0")
        .live_attr("aria-valuemax", move || room().to_string())
        .live_attr("aria-valuenow", move || tokens().min(room()).to_string())
        .live_attr("aria-valuetext", move || {
            format!("about {} of {} tokens", grouped(tokens()), grouped(room()))
        })
        .child(pane("gauge-room").attr("width", "100%"))
        .child(pane("gauge-used").live_attr("width", share))
}

/// What is to be said where the next request nears what Sash takes in one, or is just large.
pub fn limit_words(session: Session) -> Option<String> {
    let limits = session
        .ollama
        .state
        .with(|state| state.as_ref().and_then(|state| state.limits));
    let messages = usize::try_from(session.size.with(|size| size.messages)).unwrap_or(usize::MAX);
    let bytes = session.bytes();
    let near = |now: usize, most: usize| now.saturating_mul(5) > most.saturating_mul(4);
    if let Some(most) = limits.filter(|limits| near(messages, limits.messages)) {
        return Some(format!(
            "{} in one request; Sash takes {}",
            plural(messages, "message"),
            grouped(most.messages as u64)
        ));
    }
    let size = format!("A large request: about {} kB", grouped(bytes as u64 / 1000));
    if let Some(most) = limits.filter(|limits| near(bytes, limits.bytes)) {
        return Some(format!(
            "{size}; Sash takes {} kB",
            grouped(most.bytes as u64 / 1000)
        ));
    }
    (bytes > LARGE).then_some(size)
}
