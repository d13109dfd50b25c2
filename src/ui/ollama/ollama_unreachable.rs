//! Ollama is unreachable.

use super::look_again::LookAgain;
use super::ollama_section::OllamaSection;
use super::start_steps::StartSteps;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_wire::{Fault, OllamaState};

/// Says where Sash looked for Ollama and what may help, and offers the demo.
#[component]
pub fn OllamaUnreachable(
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
