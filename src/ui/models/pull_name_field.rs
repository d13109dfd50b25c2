//! The name of a model to pull.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_wire::Fault;
use web_sys::SubmitEvent;

/// The field for the name of a model to pull. A name that is none is said here, and nothing is sent.
#[component]
pub fn PullNameField() -> impl IntoView {
    let pulls = use_stores().pulls;
    let name = RwSignal::new(String::new());
    let refused = RwSignal::new(None::<Fault>);
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let model = name.with_untracked(|name| name.trim().to_owned());
        if model.is_empty() {
            return;
        }
        match pulls.start(&model) {
            Ok(()) => {
                refused.set(None);
                name.set(String::new());
            }
            Err(fault) => refused.set(Some(fault)),
        }
    };

    view! {
        <form class="field-row" on:submit=submit>
            <input
                aria-label="Name of a model to pull"
                aria-describedby="pull-hint"
                aria-invalid=move || refused.with(Option::is_some).then_some("true")
                placeholder="llama3.2"
                autocomplete="off"
                autocapitalize="none"
                spellcheck="false"
                bind:value=name
            />
            <button class="primary" type="submit">
                "Pull"
            </button>
        </form>
        <p class="models-hint" id="pull-hint" role="status">
            {move || {
                refused
                    .with(|fault| fault.as_ref().map(Fault::to_string))
                    .unwrap_or_else(|| {
                        "By its name in Ollama's library, like qwen3:4b, or hf.co/user/model.".to_owned()
                    })
            }}
        </p>
    }
}
