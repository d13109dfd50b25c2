//! The engines that answer.

use crate::ui::parts::plural;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::Stores;
use sash_wire::{EngineAction, EngineInfo, EngineKind, OllamaState, SubPage};

/// The engines that answer: whether each can be reached, and how many models it has.
#[component]
pub fn EngineSection() -> impl IntoView {
    let stores = use_stores();
    let lines = move || {
        let lines = engine_lines(stores).into_iter();
        lines.map(|line| view! { <li>{line}</li> }).collect_view()
    };
    let may_manage = move || {
        let can_load = stores.engine.first_that_can(EngineAction::Load).is_some();
        can_load && !stores.engine.is_demo()
    };

    view! {
        <section aria-labelledby="settings-engine">
            <h3 id="settings-engine">"Engines"</h3>
            <div role="status">
                <ul class="setting-engines">{lines}</ul>
            </div>
            <div class="setting-buttons">
                <button
                    type="button"
                    disabled=move || stores.engine.looking.get()
                    on:click=move |_| stores.engine.look_again()
                >
                    "Look again"
                </button>
                <Show when=may_manage>
                    <button
                        type="button"
                        on:click=move |_| stores.view.sub_page.set(Some(SubPage::Models))
                    >
                        "Manage models…"
                    </button>
                </Show>
            </div>
            <p class="hint-line">
                "Engines are named when Sash is started, with --ollama name=url and --openai name=url."
            </p>
        </section>
    }
}

/// What is known of each engine, a line each.
fn engine_lines(stores: Stores) -> Vec<String> {
    let engine = stores.engine;
    if engine.server_gone.get() {
        return vec!["Sash itself does not answer.".to_owned()];
    }
    if engine.is_demo() {
        let words = "The demo answers. It is no language model: it only tells what it was given.";
        return vec![words.to_owned()];
    }
    let states = engine.states();
    if states.is_empty() {
        return vec!["Looking for the engine …".to_owned()];
    }
    let lines = states.into_iter().enumerate();
    lines
        .map(|(at, (info, state))| {
            // The first engine has no name in the list of models.
            let name = (at > 0).then(|| info.name.clone());
            let models = engine
                .models
                .with(|all| all.iter().filter(|model| model.engine == name).count());
            engine_line(&info, state.as_ref(), models)
        })
        .collect()
}

/// "ollama: Ollama 0.33.0 at http://127.0.0.1:11434 answers. 3 models."
fn engine_line(info: &EngineInfo, state: Option<&OllamaState>, models: usize) -> String {
    let what = match info.kind {
        EngineKind::Ollama => "Ollama",
        EngineKind::OpenAi => "OpenAI chat API",
    };
    let Some(state) = state else {
        return format!("{}: {what}, not heard of yet.", info.name);
    };
    let version = state
        .version
        .as_ref()
        .map(|version| format!(" {version}"))
        .unwrap_or_default();
    let place = match state.address.as_str() {
        "" => String::new(),
        address => format!(" at {address}"),
    };
    match state.reachable {
        true => format!(
            "{}: {what}{version}{place} answers. {}.",
            info.name,
            plural(models, "model")
        ),
        false => format!("{}: {what}{place} does not answer.", info.name),
    }
}
