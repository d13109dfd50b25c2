//! Help if Ollama is unreachable or has no model.

use super::no_model::NoModel;
use super::ollama_unreachable::OllamaUnreachable;
use super::pull_dialog::PullDialog;
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// Help if Ollama is unreachable or has no model; empty otherwise.
#[component]
pub fn OllamaPanel() -> impl IntoView {
    let ollama = use_stores().engine;
    let unreachable = Memo::new(move |_| {
        let state = ollama.state.get()?;
        (!state.reachable && !ollama.needs_token.get()).then_some(state)
    });
    let has_no_model =
        move || ollama.is_reachable() && ollama.listed.get() && ollama.models.with(Vec::is_empty);

    view! {
        <div class="panel-place">
            <ShowLet some=unreachable let:state>
                <OllamaUnreachable state />
            </ShowLet>
            <Show when=has_no_model>
                <NoModel />
            </Show>
            <PullDialog />
        </div>
    }
}
