//! The engines that answer.

use crate::parts::CopyLine;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_stores::Kernel;
use sash_wire::{EngineAction, EngineInfo, EngineKind, EngineState};
use sash_words::{count, t};

/// How Sash is started with another engine.
const EXAMPLE: &str = "sash --openai vllm=http://127.0.0.1:8000";

/// The engines that answer: whether each can be reached, and how many models it has.
#[component]
pub fn EngineSection() -> impl IntoView {
    let kernel = use_kernel();
    let lines = move || {
        let lines = engine_lines(kernel).into_iter();
        let lines = lines.map(|(line, engine)| {
            view! {
                <li>
                    {line}
                    {engine.map(|engine| view! { <DraftsField engine /> })}
                </li>
            }
        });
        lines.collect_view()
    };
    let may_manage = move || {
        let can_load = kernel.engine().first_that_can(EngineAction::Load).is_some();
        can_load && !kernel.engine().is_demo()
    };

    view! {
        <section aria-labelledby="settings-engine">
            <h3 id="settings-engine">{t!(settings.engines)}</h3>
            // Not `status`: it would be read out each time that the settings open.
            <div aria-live="polite">
                <ul class="setting-engines">{lines}</ul>
            </div>
            <div class="setting-buttons">
                <button
                    type="button"
                    disabled=move || kernel.engine().polling.get()
                    on:click=move |_| kernel.engine().poll_now()
                >
                    {t!(common.check_again)}
                </button>
                <Show when=may_manage>
                    <button
                        type="button"
                        on:click=move |_| kernel.commands().run("models")
                    >
                        {t!(common.manage_models)}
                    </button>
                </Show>
            </div>
            <p class="hint-line">
                {t!(settings.add_engines_hint)}
            </p>
            <CopyLine text=EXAMPLE.to_owned() label=t!(common.copy_the_command) />
        </section>
    }
}

/// The choice whether an engine may have drafts before they are sent.
#[component]
fn DraftsField(
    /// The engine.
    engine: EngineInfo,
) -> impl IntoView {
    let settings = use_kernel().settings();
    let label = t!(settings.send_drafts_to, name = &engine.name);
    let hint = format!("drafts-hint-{}", engine.name);
    let engine = StoredValue::new(engine);
    let is_on = move || engine.with_value(|engine| settings.draft_answer(engine)) == Some(true);
    let toggle = move |_| {
        let is_on = untrack(is_on);
        engine.with_value(|engine| settings.answer_drafts(engine, !is_on));
    };

    view! {
        <label class="setting-switch">
            <input
                type="checkbox"
                aria-describedby=hint.clone()
                prop:checked=is_on
                on:change=toggle
            />
            <span>{label}</span>
        </label>
        <p id=hint class="hint-line">
            {t!(settings.drafts_hint)}
        </p>
    }
}

/// What is known of each engine, a line each, with the engine where the person decides whether it may have drafts.
fn engine_lines(kernel: Kernel) -> Vec<(String, Option<EngineInfo>)> {
    let engine = kernel.engine();
    if engine.server_gone.get() {
        return vec![(t!(settings.server_not_answering).to_owned(), None)];
    }
    if engine.is_demo() {
        let words = t!(settings.demo_hint);
        return vec![(words.to_owned(), None)];
    }
    let states = engine.states();
    if states.is_empty() {
        return vec![(t!(settings.looking_for_engine).to_owned(), None)];
    }
    let lines = states.into_iter().enumerate();
    lines
        .map(|(at, (info, state))| {
            // The first engine has no name in the list of models.
            let name = (at > 0).then(|| info.name.clone());
            let models = engine
                .models
                .with(|all| all.iter().filter(|model| model.engine == name).count());
            let line = engine_line(&info, state.as_ref(), models);
            let asks = engine.asks_for_drafts(&info);
            (line, asks.then_some(info))
        })
        .collect()
}

/// "ollama: connected (Ollama 0.33.0 at http://127.0.0.1:11434), 3 models"
fn engine_line(info: &EngineInfo, state: Option<&EngineState>, models: usize) -> String {
    let what = match info.kind {
        EngineKind::Ollama => t!(common.ollama),
        EngineKind::OpenAi => t!(settings.openai_chat_api),
    };
    let Some(state) = state else {
        return t!(settings.engine_not_checked, name = &info.name, what = &what);
    };
    let version = state
        .version
        .as_ref()
        .map(|version| format!(" {version}"))
        .unwrap_or_default();
    let place = match state.address.as_str() {
        "" => String::new(),
        address => t!(settings.at_address, address = &address),
    };
    match state.reachable {
        true => t!(
            settings.answers,
            name = &info.name,
            what = &what,
            version = &version,
            place = &place,
            models = count::models(models)
        ),
        false => t!(
            settings.does_not_answer,
            name = &info.name,
            what = &what,
            place = &place
        ),
    }
}
