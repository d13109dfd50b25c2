//! Which model answers: a native select, which needs no learning and works everywhere.

use crate::ui::app::session;
use crate::ui::dom::{El, el, live, typed};
use crate::ui::session::Session;
use leptos::prelude::*;
use sash_wire::{ModelInfo, short_name};
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlSelectElement};

/// The value of the last option. No model can be named so.
const PULL: &str = " pull";

/// The picker.
pub fn model_picker() -> El {
    let session = session();
    let chosen = Memo::new(move |_| session.model());
    let choices = Memo::new(move |_| choices(session, chosen.get()));
    let select = el("select")
        .flag("disabled", move || !session.ollama.is_reachable())
        .each(
            move || choices.get(),
            |(value, text)| el("option").attr("value", value).text(text),
        );
    let field: HtmlSelectElement = select.element().unchecked_into();
    let show_chosen = {
        let field = field.clone();
        move || field.set_value(&chosen.get_untracked().unwrap_or_default())
    };
    // The value of a select can only be set once its options are there.
    let show = show_chosen.clone();
    live(move || {
        choices.track();
        chosen.track();
        request_animation_frame(show.clone());
    });
    let select = select.on("change", move |event: Event| {
        let value = typed(&event);
        if value == PULL {
            show_chosen();
            session.ollama.pull_asked.set(true);
        } else {
            session.choose_model(&value);
        }
    });
    let title = move || {
        let chosen = chosen.get()?;
        let models = session.ollama.models;
        models.with(|models| models.iter().find(|m| m.name == chosen).map(describe))
    };
    el("label")
        .class("model-picker")
        .opt_attr("title", title)
        .child(el("span").class("visually-hidden").text("Model"))
        .child(select)
}

/// The options, value and text: a model that is chosen but missing, those there are, and pulling.
fn choices(session: Session, chosen: Option<String>) -> Vec<(String, String)> {
    let ollama = session.ollama;
    let mut choices: Vec<(String, String)> = ollama
        .models
        .with(|models| models.iter().map(|m| (m.name.clone(), label(m))).collect());
    match chosen {
        None => choices.push((String::new(), "No model".to_owned())),
        Some(name) if choices.iter().all(|(value, _)| *value != name) => {
            let text = if ollama.listed.get() {
                format!("{name} (missing)")
            } else {
                name.clone()
            };
            choices.insert(0, (name, text));
        }
        Some(_) => {}
    }
    if !ollama.is_demo() {
        choices.push((PULL.to_owned(), "Pull another model…".to_owned()));
    }
    choices
}

fn label(model: &ModelInfo) -> String {
    let name = short_name(&model.name);
    match (model.remote, model.parameter_size.as_str()) {
        (true, _) => format!("{name} · cloud, leaves this machine"),
        (false, "" | "0") => name.to_owned(),
        (false, size) => format!("{name} · {size}"),
    }
}

/// All that is known of a model, in one line.
fn describe(model: &ModelInfo) -> String {
    let size = (model.size > 0).then(|| {
        format!(
            "{}.{} GB",
            model.size / 1_000_000_000,
            model.size / 100_000_000 % 10
        )
    });
    let context = model
        .context_length
        .map(|n| format!("trained for {n} tokens of context"));
    let words = [&model.family, &model.parameter_size, &model.quantization];
    let words = words.into_iter().filter(|word| !word.is_empty()).cloned();
    words
        .chain(size)
        .chain(context)
        .collect::<Vec<_>>()
        .join(" · ")
}
