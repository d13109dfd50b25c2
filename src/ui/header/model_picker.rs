//! The choice of a model: a native `select`, which everybody knows and every device supports.

use super::model_words::{describe, label};
use crate::ui::stores::use_stores;
use leptos::html;
use leptos::prelude::*;
use sash_state::Stores;
use web_sys::Event;

/// The values of the last two options. No model can have such a name.
const PULL: &str = " pull";
const MANAGE: &str = " manage";

/// The picker.
#[component]
pub fn ModelPicker() -> impl IntoView {
    let stores = use_stores();
    let chosen = stores.steering.model;
    let choices = Memo::new(move |_| choices(stores, chosen.get()));
    let select = NodeRef::<html::Select>::new();
    let show_chosen = move || {
        if let Some(select) = select.try_get_untracked().flatten() {
            select.set_value(&chosen.get_untracked().unwrap_or_default());
        }
    };
    // The value of a `select` can only be set after its options exist.
    Effect::new(move || {
        choices.track();
        chosen.track();
        request_animation_frame(show_chosen);
    });
    let on_change = move |event: Event| {
        let value = event_target_value(&event);
        let asked = match value.as_str() {
            PULL => stores.pulls.asked,
            MANAGE => stores.models.shown,
            model => return stores.chats.choose_model(model),
        };
        show_chosen();
        asked.set(true);
    };
    let title = move || {
        let chosen = chosen.get()?;
        let models = stores.engine.models;
        models.with(|models| models.iter().find(|m| m.name == chosen).map(describe))
    };

    view! {
        <label class="model-picker" title=title>
            <span class="visually-hidden">"Model"</span>
            <select
                disabled=move || !stores.engine.is_reachable()
                node_ref=select
                on:change=on_change
            >
                <For each=move || choices.get() key=Clone::clone let((value, text))>
                    <option value=value>{text}</option>
                </For>
            </select>
        </label>
    }
}

/// The options, as value and text: a chosen model that is missing, the existing models, pulling,
/// and the page of models.
fn choices(stores: Stores, chosen: Option<String>) -> Vec<(String, String)> {
    let ollama = stores.engine;
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
        choices.push((MANAGE.to_owned(), "Manage models…".to_owned()));
    }
    choices
}
