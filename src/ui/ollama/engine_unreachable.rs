//! An engine that is not Ollama is unreachable.

use super::ollama_section::OllamaSection;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_wire::{OllamaState, Upstream};

/// Says that the first engine does not answer and why, and offers the demo. The page does not know its address.
#[component]
pub fn EngineUnreachable(
    /// The state of the engine.
    state: OllamaState,
) -> impl IntoView {
    let stores = use_stores();
    let look_words = move || match stores.engine.looking.get() {
        true => "Looking …",
        false => "Look again",
    };
    let cause = state.fault.map(|fault| fault.to_string());

    view! {
        <OllamaSection>
            <h2>"No engine is reachable"</h2>
            <p>{cause}</p>
            <p>"Sash keeps looking and goes on by itself."</p>
            <div class="panel-buttons">
                <button type="button" class="primary" on:click=move |_| stores.engine.look_again()>
                    {look_words}
                </button>
                <button type="button" on:click=move |_| stores.engine.use_upstream(Upstream::Demo)>
                    "Try the demo"
                </button>
            </div>
        </OllamaSection>
    }
}
