//! Help if no engine is reachable or none has a model.

use super::pull_dialog::{PullDialog, PullForm};
use leptos::either::Either;
use leptos::prelude::*;
use sash_view::stores::use_kernel;
use sash_wire::{EngineAction, EngineState, Fault, Upstream};
use sash_words::t;

/// Help if no engine is reachable or Ollama has no model; empty otherwise.
#[component]
pub fn OllamaPanel() -> impl IntoView {
    let engine = use_kernel().engine();
    let unreachable = Memo::new(move |_| {
        let state = engine.state.get()?;
        (!engine.is_reachable() && !engine.needs_token.get()).then_some(state)
    });
    let has_no_model = move || {
        engine.is_reachable()
            && engine.has_listed(None)
            && engine.models.with(Vec::is_empty)
            && engine.first_that_can(EngineAction::Pull).is_some()
    };

    view! {
        <div class="panel-place">
            <ShowLet some=unreachable let:state>
                {match state.address.is_empty() {
                    true => Either::Left(view! { <EngineUnreachable state /> }),
                    false => Either::Right(view! { <OllamaUnreachable state /> }),
                }}
            </ShowLet>
            <Show when=has_no_model>
                <NoModel />
            </Show>
            <PullDialog />
        </div>
    }
}

/// Says that the first engine does not answer and why, and offers the demo. The page does not know its address.
#[component]
fn EngineUnreachable(
    /// The state of the engine.
    state: EngineState,
) -> impl IntoView {
    let cause = state.fault.map(|fault| fault.to_string());

    view! {
        <OllamaSection>
            <h2>{t!(models.no_engine_reachable)}</h2>
            <p>{cause}</p>
            <p>{t!(models.keeps_checking)}</p>
            <LookAgain />
        </OllamaSection>
    }
}

/// Says where Sash looked for Ollama and what may help, and offers the demo.
#[component]
fn OllamaUnreachable(
    /// The state of Ollama.
    state: EngineState,
) -> impl IntoView {
    let kernel = use_kernel();
    let is_elsewhere = !state.from_this_machine;
    // That nothing answers, or breaks off while it does, is said already.
    let cause = state.fault.filter(|fault| {
        !matches!(
            fault,
            Fault::OllamaUnreachable { .. }
                | Fault::ConnectionLost
                | Fault::BrokenStream { .. }
                | Fault::EndedEarly
        )
    });

    view! {
        <OllamaSection>
            <h2>{t!(models.ollama_not_reachable)}</h2>
            <p>
                {t!(models.sash_looked_at)}
                <code>{state.address}</code>
                {t!(models.and_keeps_checking)}
            </p>
            {cause.map(|fault| view! { <p>{fault.to_string()}</p> })}
            <Show
                when=move || kernel.chats().path.with(Vec::is_empty)
                fallback=|| {
                    view! {
                        <p>
                            {t!(models.start_it_with)}
                            <code>{t!(models.ollama_serve)}</code>
                            {t!(models.or_open_app)}
                        </p>
                    }
                }
            >
                <StartSteps is_elsewhere />
            </Show>
            <LookAgain />
        </OllamaSection>
    }
}

/// How to start Ollama, install it, or connect to another machine.
#[component]
fn StartSteps(
    /// Whether Sash is perhaps on another machine than the page, or in a container of the same.
    is_elsewhere: bool,
) -> impl IntoView {
    view! {
        <ul class="steps">
            <li>
                {t!(models.start_installed)}
                <code>{t!(models.ollama_serve)}</code>
                {t!(models.or_open_app)}
            </li>
            <li>
                {t!(models.install_from)}
                <a href="https://ollama.com/download" target="_blank" rel="noopener noreferrer">
                    {t!(models.ollama_com_download)}
                </a>
                "."
            </li>
            <li>
                {t!(models.ollama_elsewhere)}
                <code>{t!(models.ollama_flag)}</code>
                "."
            </li>
            {is_elsewhere
                .then(|| {
                    view! {
                        <li>
                            {t!(models.in_container)}
                            <code>{t!(models.in_container_host)}</code>
                            {t!(models.in_container_linux)}
                            <code>{t!(models.in_container_listen)}</code>
                            "."
                        </li>
                    }
                })}
        </ul>
    }
}

/// Looks for the engine again, or goes on with the demo.
#[component]
fn LookAgain() -> impl IntoView {
    let engine = use_kernel().engine();
    let button_words = move || match engine.polling.get() {
        true => t!(models.checking),
        false => t!(common.check_again),
    };

    view! {
        <div class="panel-buttons">
            <button type="button" class="primary" on:click=move |_| engine.poll_now()>
                {button_words}
            </button>
            <button type="button" on:click=move |_| engine.use_upstream(Upstream::Demo)>
                {t!(models.try_the_demo)}
            </button>
        </div>
    }
}

/// Says that Ollama has no model, and offers to pull one.
#[component]
fn NoModel() -> impl IntoView {
    view! {
        <OllamaSection>
            <h2>{t!(models.no_model_yet)}</h2>
            <p>
                {t!(models.ollama_without_models)}
                <code>{t!(models.example_model)}</code>
                {t!(models.small_model_hint)}
            </p>
            <PullForm />
        </OllamaSection>
    }
}

/// The frame of a message about Ollama: spacious in an empty chat, compact below a conversation.
#[component]
fn OllamaSection(
    /// The message.
    children: Children,
) -> impl IntoView {
    let path = use_kernel().chats().path;

    view! {
        <section
            class="panel"
            aria-label=t!(common.ollama)
            data-roomy=move || path.with(Vec::is_empty).to_string()
        >
            {children()}
        </section>
    }
}
