//! Ollama is not there, or has no model: what to do about it.

mod pull;
mod token;

use leptos::prelude::*;
pub use token::token_form;

use super::app::session;
use super::dom::{El, button, el};
use super::session::Session;
use pull::{pull_dialog, pull_form};
use sash_wire::{Fault, OllamaState, Upstream};

/// The panel; nothing when all is well.
pub fn ollama_panel() -> El {
    let session = session();
    let ollama = session.ollama;
    let away = move || {
        let state = ollama.state.get()?;
        (!state.reachable && !ollama.needs_token.get()).then_some(state)
    };
    let no_model =
        move || ollama.is_reachable() && ollama.listed.get() && ollama.models.with(Vec::is_empty);
    el("div")
        .class("panel-place")
        .choose(away, move |state| state.as_ref().map(|state| is_away(session, state)))
        .when(no_model, move || {
            panel(session)
                .child(el("h2").text("No model yet"))
                .child(
                    el("p")
                        .text("Ollama is running but has no model that can chat. Pull one by its name; ")
                        .child(el("code").text("llama3.2"))
                        .text(" is a good small one (2 GB). More names are at ollama.com/library."),
                )
                .child(pull_form())
        })
        .child(pull_dialog())
}

/// With room in an empty chat, compact below a conversation.
fn panel(session: Session) -> El {
    el("section")
        .class("panel")
        .attr("aria-label", "Ollama")
        .live_attr("data-roomy", move || {
            session.path.with(Vec::is_empty).to_string()
        })
}

fn is_away(session: Session, state: &OllamaState) -> El {
    let looked = el("p")
        .text("Sash looked at ")
        .child(el("code").text(&state.address))
        .text(". It keeps looking and goes on by itself.");
    // That nothing answers, or breaks off while it does, is said already.
    let cause = state.fault.as_ref().filter(|fault| {
        !matches!(
            fault,
            Fault::OllamaUnreachable { .. }
                | Fault::ConnectionLost {}
                | Fault::BrokenStream { .. }
                | Fault::EndedEarly {}
        )
    });
    let looking = session.ollama.looking;
    let look = button("primary")
        .live_text(move || match looking.get() {
            true => "Looking …".to_owned(),
            false => "Look again".to_owned(),
        })
        .click(move || session.look_again());
    let demo = button("")
        .text("Try the demo")
        .click(move || session.use_upstream(Upstream::Demo));
    panel(session)
        .child(el("h2").text("Ollama is not reachable"))
        .child(looked)
        .maybe(cause.map(|fault| el("p").text(&fault.to_string())))
        .choose(
            move || session.path.with(Vec::is_empty),
            |empty| Some(if *empty { steps() } else { start() }),
        )
        .child(el("div").class("panel-buttons").child(look).child(demo))
}

/// What helps nearly always, where there is little room.
fn start() -> El {
    el("p")
        .text("Start it with ")
        .child(el("code").text("ollama serve"))
        .text(", or open the Ollama app.")
}

fn steps() -> El {
    let code = |text: &str| el("code").text(text);
    let download = el("a")
        .attr("href", "https://ollama.com/download")
        .attr("target", "_blank")
        .attr("rel", "noopener noreferrer")
        .text("ollama.com/download");
    let start = el("li")
        .text("Installed already? Start it: ")
        .child(code("ollama serve"))
        .text(", or open the Ollama app.");
    let install = el("li")
        .text("Not yet? Get it from ")
        .child(download)
        .text(".");
    let point = el("li")
        .text("Somewhere else? Start Sash with ")
        .child(code("--ollama http://HOST:11434"))
        .text(".");
    el("ul")
        .class("steps")
        .child(start)
        .child(install)
        .child(point)
}
