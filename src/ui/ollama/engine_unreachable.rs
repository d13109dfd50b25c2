//! An engine that is not Ollama is unreachable.

use super::look_again::LookAgain;
use super::ollama_section::OllamaSection;
use leptos::prelude::*;
use sash_wire::OllamaState;

/// Says that the first engine does not answer and why, and offers the demo. The page does not know its address.
#[component]
pub fn EngineUnreachable(
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
