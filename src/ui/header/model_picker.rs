//! Which model answers: a native select, which needs no learning and works everywhere.

use crate::ui::app::session;
use crate::wire::ModelInfo;
use leptos::prelude::*;

/// The value of the last option. No model can be named so.
const PULL: &str = " pull";

/// The picker.
#[component]
pub fn ModelPicker() -> impl IntoView {
    let session = session();
    let select = NodeRef::<leptos::html::Select>::new();
    let chosen = Memo::new(move |_| session.model());
    let missing = move || {
        let chosen = chosen.get()?;
        let listed = session
            .ollama
            .models
            .with(|models| models.iter().any(|m| m.name == chosen));
        (!listed).then_some(chosen)
    };
    // The value of a select can only be set once its options are there.
    Effect::new(move || {
        session.ollama.models.track();
        if let (Some(select), Some(chosen)) = (select.get(), chosen.get()) {
            request_animation_frame(move || select.set_value(&chosen));
        }
    });
    let choose = move |event| {
        let value = event_target_value(&event);
        if value == PULL {
            if let (Some(select), Some(chosen)) = (select.get_untracked(), chosen.get_untracked()) {
                select.set_value(&chosen);
            }
            session.ollama.pull_asked.set(true);
        } else {
            session.choose_model(&value);
        }
    };
    let title = move || {
        let chosen = chosen.get()?;
        session
            .ollama
            .models
            .with(|models| models.iter().find(|m| m.name == chosen).map(describe))
    };
    view! {
        <label class="model-picker" title=title>
            <span class="visually-hidden">"Model"</span>
            <select node_ref=select on:change=choose disabled=move || !session.ollama.is_reachable()>
                {move || missing().map(|name| {
                    let text = if session.ollama.listed.get() { format!("{name} (missing)") } else { name.clone() };
                    view! { <option value=name>{text}</option> }
                })}
                <For each=move || session.ollama.models.get() key=|model| model.name.clone() let:model>
                    <option value=model.name.clone()>{label(&model)}</option>
                </For>
                {move || chosen.with(Option::is_none).then(|| view! { <option value="">"No model"</option> })}
                {move || (!session.ollama.is_demo()).then(|| view! { <option value=PULL>"Pull another model…"</option> })}
            </select>
        </label>
    }
}

fn label(model: &ModelInfo) -> String {
    let name = model.name.strip_suffix(":latest").unwrap_or(&model.name);
    match (model.remote, model.parameter_size.as_str()) {
        (true, _) => format!("{name} · cloud, leaves this machine"),
        (false, "" | "0") => name.to_owned(),
        (false, size) => format!("{name} · {size}"),
    }
}

/// All that is known of a model, in one line.
fn describe(model: &ModelInfo) -> String {
    let size = (model.size > 0).then(|| format!("{:.1} GB", model.size as f64 / 1e9));
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
