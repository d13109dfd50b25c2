//! Help if no engine is reachable or none has a model.

use super::pull_dialog::{PullDialog, PullForm};
use crate::ui::stores::use_stores;
use leptos::either::Either;
use leptos::prelude::*;
use sash_wire::{EngineAction, Fault, OllamaState, Upstream};

/// Help if no engine is reachable or Ollama has no model; empty otherwise.
#[component]
pub fn OllamaPanel() -> impl IntoView {
    let engine = use_stores().engine;
    let unreachable = Memo::new(move |_| {
        let state = engine.state.get()?;
        (!engine.is_reachable() && !engine.needs_token.get()).then_some(state)
    });
    let has_no_model = move || {
        engine.is_reachable()
            && engine.listed.get()
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
    state: OllamaState,
) -> impl IntoView {
    let cause = state.fault.map(|fault| fault.to_string());

    view! {
        <OllamaSection>
            <h2>"No engine is reachable"</h2>
            <p>{cause}</p>
            <p>"Sash keeps looking and goes on by itself."</p>
            <LookAgain />
        </OllamaSection>
    }
}

/// Says where Sash looked for Ollama and what may help, and offers the demo.
#[component]
fn OllamaUnreachable(
    /// The state of Ollama.
    state: OllamaState,
) -> impl IntoView {
    let stores = use_stores();
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
            <h2>"Ollama is not reachable"</h2>
            <p>
                "Sash looked at "
                <code>{state.address}</code>
                ". It keeps looking and goes on by itself."
            </p>
            {cause.map(|fault| view! { <p>{fault.to_string()}</p> })}
            <Show
                when=move || stores.chats.path.with(Vec::is_empty)
                fallback=|| {
                    view! {
                        <p>
                            "Start it with "
                            <code>"ollama serve"</code>
                            ", or open the Ollama app."
                        </p>
                    }
                }
            >
                <StartSteps />
            </Show>
            <LookAgain />
        </OllamaSection>
    }
}

/// How to start Ollama, install it, or connect to another machine.
#[component]
fn StartSteps() -> impl IntoView {
    view! {
        <ul class="steps">
            <li>
                "Installed already? Start it: "
                <code>"ollama serve"</code>
                ", or open the Ollama app."
            </li>
            <li>
                "Not yet? Get it from "
                <a href="https://ollama.com/download" target="_blank" rel="noopener noreferrer">
                    "ollama.com/download"
                </a>
                "."
            </li>
            <li>
                "Somewhere else? Start Sash with "
                <code>"--ollama http://HOST:11434"</code>
                "."
            </li>
        </ul>
    }
}

/// Looks for the engine again, or goes on with the demo.
#[component]
fn LookAgain() -> impl IntoView {
    let engine = use_stores().engine;
    let look_words = move || match engine.looking.get() {
        true => "Looking …",
        false => "Look again",
    };

    view! {
        <div class="panel-buttons">
            <button type="button" class="primary" on:click=move |_| engine.look_again()>
                {look_words}
            </button>
            <button type="button" on:click=move |_| engine.use_upstream(Upstream::Demo)>
                "Try the demo"
            </button>
        </div>
    }
}

/// Says that Ollama has no model, and offers to pull one.
#[component]
fn NoModel() -> impl IntoView {
    view! {
        <OllamaSection>
            <h2>"No model yet"</h2>
            <p>
                "Ollama is running but has no model that can chat. Pull one by its name; "
                <code>"llama3.2"</code>
                " is a good small one (2 GB). More names are at ollama.com/library."
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
    let path = use_stores().chats.path;

    view! {
        <section
            class="panel"
            aria-label="Ollama"
            data-roomy=move || path.with(Vec::is_empty).to_string()
        >
            {children()}
        </section>
    }
}
