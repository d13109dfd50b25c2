//! Pulling a model by its name, with a bar for the whole and one for each layer.

use crate::ui::app::session;
use crate::ui::dom::{El, button, el, live, typed};
use crate::ui::session::{PullState, Session};
use leptos::prelude::*;
use sash_wire::Fault;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlDialogElement};

/// The name, then the progress.
pub fn pull_form() -> El {
    let session = session();
    let pull = session.ollama.pull;
    let running = move || pull.with(|pull| pull.as_ref().is_some_and(|p| p.fault.is_none()));
    el("div")
        .class("pull-place")
        .choose(running, move |running| {
            Some(if *running {
                progress(session)
            } else {
                ask(session)
            })
        })
}

/// The name, and what went wrong with the former one.
fn ask(session: Session) -> El {
    let name = RwSignal::new(String::new());
    let field = el("input")
        .attr("aria-label", "Model name")
        .attr("placeholder", "llama3.2")
        .attr("autocomplete", "off")
        .attr("autocapitalize", "none")
        .attr("spellcheck", "false")
        .value(move || name.get())
        .on("input", move |event: Event| name.set(typed(&event)));
    let submit = move |event: Event| {
        event.prevent_default();
        let model = name.with_untracked(|name| name.trim().to_owned());
        if !model.is_empty() {
            session.pull(model);
        }
    };
    let form = el("form")
        .class("field-row")
        .on("submit", submit)
        .child(field)
        .child(
            el("button")
                .class("primary")
                .attr("type", "submit")
                .text("Pull"),
        );
    let fault = move || {
        session
            .ollama
            .pull
            .with(|pull| pull.as_ref().and_then(|p| p.fault.clone()))
    };
    el("div").child(form).choose(fault, |fault| {
        let fault = fault.as_ref()?;
        let words = el("p").class("note note-failed").text(&fault.to_string());
        let cause = match fault {
            Fault::PullFailed { cause, .. } => cause.as_deref(),
            _ => None,
        };
        let cause = cause.map(|cause| {
            el("details")
                .class("cause")
                .child(el("summary").text("What Ollama said"))
                .child(el("p").text(cause))
        });
        Some(el("div").child(words).maybe(cause))
    })
}

fn progress(session: Session) -> El {
    let pull = session.ollama.pull;
    let read = move |read: fn(&PullState) -> String| {
        move || pull.with(|p| p.as_ref().map(read).unwrap_or_default())
    };
    let status = el("p")
        .class("pull-status")
        .child(el("strong").live_text(read(|pull| pull.model.clone())))
        .text(" · ")
        .child(el("span").live_text(read(|pull| pull.status.clone())));
    let whole = move || pull.with(|p| p.as_ref().map_or((0, 0), PullState::whole));
    let digests = move || {
        let of = |p: &PullState| p.layers.iter().map(|layer| layer.digest.clone()).collect();
        pull.with(|p| p.as_ref().map(of).unwrap_or_default())
    };
    let layer = move |digest: &String| {
        let short = digest.strip_prefix("sha256:").unwrap_or(digest);
        let short: String = short.chars().take(12).collect();
        let digest = digest.clone();
        let part = move || {
            pull.with(|p| {
                let layer = p
                    .as_ref()?
                    .layers
                    .iter()
                    .find(|layer| layer.digest == digest)?;
                Some((layer.completed, layer.total))
            })
        };
        bar("bar bar-layer", &format!("Layer {short}"), move || {
            part().unwrap_or_default()
        })
    };
    el("div")
        .class("pull")
        .child(status)
        .child(bar("bar", "Whole pull", whole))
        .child(el("div").class("layers").each(digests, layer))
        .child(
            button("")
                .text("Stop pulling")
                .click(move || session.stop_pull()),
        )
}

fn bar(class: &str, name: &str, part: impl Fn() -> (u64, u64) + Clone + 'static) -> El {
    let (done, all) = (part.clone(), part.clone());
    let progress = el("progress")
        .live_attr("max", move || all().1.max(1).to_string())
        .live_attr("value", move || done().0.to_string());
    el("label")
        .class(class)
        .child(el("span").text(name))
        .child(progress)
        .child(el("span").live_text(move || amount(part())))
}

/// "1.2 of 2.0 GB"
fn amount((done, all): (u64, u64)) -> String {
    let (tenth, name) = match all {
        1_000_000_000.. => (100_000_000, "GB"),
        1_000_000.. => (100_000, "MB"),
        1.. => (100, "kB"),
        0 => return String::new(),
    };
    let decimal = |bytes: u64| format!("{}.{}", bytes / tenth / 10, bytes / tenth % 10);
    format!("{} of {} {name}", decimal(done), decimal(all))
}

/// The same as a dialog, from the model picker. It closes when the model is there.
pub fn pull_dialog() -> El {
    let asked = session().ollama.pull_asked;
    let words = el("p").text("By its name, as in Ollama's library: ");
    let words = ["llama3.2", "qwen3:4b", "hf.co/user/model"]
        .iter()
        .fold(words, |words, name| {
            words.child(el("code").text(name)).text(" ")
        });
    let dialog = el("dialog");
    let closing: HtmlDialogElement = dialog.element().unchecked_into();
    let dialog = dialog
        .class("dialog")
        .attr("aria-labelledby", "pull-title")
        // It is told later, and may be open again by then.
        .on("close", move |_: Event| {
            if !closing.open() {
                asked.set(false);
            }
        })
        .child(el("h2").attr("id", "pull-title").text("Pull a model"))
        .child(words)
        .when(move || asked.get(), pull_form)
        .child(
            el("form")
                .attr("method", "dialog")
                .class("dialog-foot")
                .child(el("button").text("Close")),
        );
    let element: HtmlDialogElement = dialog.element().unchecked_into();
    live(move || match asked.get() {
        // Only a dialog that is not in the page refuses, and one that is open already.
        true if !element.open() => _ = element.show_modal(),
        false if element.open() => element.close(),
        _ => {}
    });
    dialog
}
