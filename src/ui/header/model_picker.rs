//! The choice of a model: a native `select`, which everybody knows and every device supports.

use super::model_words::{describe, label};
use crate::ui::stores::use_stores;
use leptos::html;
use leptos::prelude::*;
use sash_chat::ModelId;
use sash_state::Stores;
use sash_wire::{EngineAction, ModelInfo};
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
            select.set_value(&chosen.get_untracked().unwrap_or_default().key());
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
            key => return stores.chats.choose_model(key),
        };
        show_chosen();
        asked.set(true);
    };
    let title = move || {
        let chosen = chosen.get()?;
        let models = stores.engine.models;
        models.with(|models| models.iter().find(|m| m.is(&chosen)).map(describe))
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
fn choices(stores: Stores, chosen: Option<ModelId>) -> Vec<(String, String)> {
    let engine = stores.engine;
    let name_of = |model: &ModelId| {
        let named = engine
            .are_several()
            .then(|| engine.name_of(model.engine.as_deref()));
        named.flatten()
    };
    let mut choices: Vec<(String, String)> = engine.models.with(|models| {
        let choice = |model: &ModelInfo| {
            let id = model.id();
            let name = name_of(&id);
            (id.key().into_owned(), label(model, name.as_deref()))
        };
        models.iter().map(choice).collect()
    });
    match chosen {
        None => choices.push((String::new(), "No model".to_owned())),
        Some(model) if choices.iter().all(|(value, _)| *value != model.key()) => {
            let mut text = model.name.clone();
            if let Some(name) = name_of(&model) {
                text += &format!(" · {name}");
            }
            if engine.has_listed(model.engine.as_deref()) {
                text += " (missing)";
            }
            choices.insert(0, (model.key().into_owned(), text));
        }
        Some(_) => {}
    }
    if !engine.is_demo() {
        let offers = |action| engine.first_that_can(action).is_some();
        if offers(EngineAction::Pull) {
            choices.push((PULL.to_owned(), "Pull another model…".to_owned()));
        }
        if offers(EngineAction::Load) {
            choices.push((MANAGE.to_owned(), "Manage models…".to_owned()));
        }
    }
    choices
}
