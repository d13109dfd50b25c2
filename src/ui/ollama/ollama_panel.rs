//! Help if no engine is reachable or none has a model.

use super::engine_unreachable::EngineUnreachable;
use super::no_model::NoModel;
use super::ollama_unreachable::OllamaUnreachable;
use super::pull_dialog::PullDialog;
use crate::ui::stores::use_stores;
use leptos::either::Either;
use leptos::prelude::*;
use sash_wire::EngineAction;

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
