//! The next request to the letter: the body that is sent, and a command that sends it.

use crate::api;
use crate::browser::{clipboard, page};
use crate::ui::dom::{El, button, el};
use crate::ui::parts::{Icon, icon};
use crate::ui::session::Session;
use leptos::prelude::*;
use std::rc::Rc;
use web_sys::Event;

/// Where prompts go; the path of [`api::response`].
const PATH: &str = "/api/v1/response";

/// The folds.
pub fn literals(session: Session) -> El {
    let json = move || api::laid_out(&api::body(session.next_request()));
    let command = move || {
        let url = page::origin() + PATH;
        api::curl(&url, &api::body(session.next_request()), api::has_token())
    };
    el("div")
        .class("literals")
        .child(fold(session, "JSON", Rc::new(json)))
        .child(fold(session, "curl", Rc::new(command)))
        .child(template(session))
}

/// The prompt after the model's chat template. It is asked for by the person alone: it loads the model.
fn template(session: Session) -> El {
    let answer = RwSignal::new(None);
    let asked = RwSignal::new(false);
    let ask = move || {
        if asked.get_untracked() {
            return;
        }
        asked.set(true);
        let request = untrack(|| session.next_request());
        leptos::task::spawn_local(async move {
            let said = match api::render(request).await {
                Ok(rendered) => Ok(rendered.prompt),
                Err(refused) => Err(refused.into_fault().to_string()),
            };
            let spoken = match &said {
                Ok(_) => "The prompt after the template is there".to_owned(),
                Err(sentence) => sentence.clone(),
            };
            // The panel may be closed by then.
            if answer.try_set(Some(said)).is_none() {
                asked.set(false);
                session.announce(spoken);
            }
        });
    };
    let button = button("")
        .live_text(move || match asked.get() {
            true => "Asking Ollama …".to_owned(),
            false => "Show the prompt after the template".to_owned(),
        })
        .attr("aria-describedby", "template-hint")
        .flag("disabled", move || missing(session).is_some())
        .click(ask);
    let hint = move || {
        let missing = missing(session);
        missing
            .unwrap_or(
                "What the model reads to the letter, as it is at the click. This loads the model.",
            )
            .to_owned()
    };
    el("div")
        .class("template")
        .child(button)
        .child(
            el("p")
                .attr("id", "template-hint")
                .class("hint-line")
                .live_text(hint),
        )
        .choose(
            move || answer.get(),
            move |answer| {
                Some(match answer.as_ref()? {
                    Ok(prompt) => {
                        let prompt = prompt.clone();
                        literal(
                            session,
                            "Prompt after the template",
                            Rc::new(move || prompt.clone()),
                        )
                    }
                    Err(sentence) => el("p").class("note note-failed").text(sentence),
                })
            },
        )
}

/// What there must be before a prompt can be put into the template.
fn missing(session: Session) -> Option<&'static str> {
    if session.model().is_none() {
        return Some("Choose a model first: the template is the model’s.");
    }
    let empty = session.draft.with(|draft| draft.trim().is_empty());
    empty.then_some("Write a question first: the template is filled with it.")
}

/// A fold with a text to copy, made only while it is open.
fn fold(session: Session, name: &'static str, text: Rc<dyn Fn() -> String>) -> El {
    let open = RwSignal::new(false);
    let details = el("details").child(el("summary").text(name));
    let place = details.element();
    details
        .on("toggle", move |_: Event| {
            open.set(place.has_attribute("open"))
        })
        .when(
            move || open.get(),
            move || literal(session, name, Rc::clone(&text)),
        )
}

/// A text to the letter, and a button that copies it.
fn literal(session: Session, name: &str, text: Rc<dyn Fn() -> String>) -> El {
    let shown = Rc::clone(&text);
    let copy = button("copy")
        .attr("aria-label", &format!("Copy {name}"))
        .child(icon(Icon::Copy))
        .text("Copy")
        .click(move || {
            let text = untrack(|| text());
            leptos::task::spawn_local(async move {
                let copied = clipboard::copy(text).await;
                session.announce(if copied { "Copied" } else { "Copying failed" }.to_owned());
            });
        });
    let text = el("pre")
        .attr("tabindex", "0")
        .attr("role", "region")
        .attr("aria-label", name)
        .live_text(move || shown());
    el("div").class("literal").child(copy).child(text)
}
