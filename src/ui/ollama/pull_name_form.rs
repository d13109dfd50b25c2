//! The form for the name of a model.

use super::pull_fault::PullFault;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use web_sys::SubmitEvent;

/// The name of a model to pull, and the fault of the last attempt.
#[component]
pub fn PullNameForm() -> impl IntoView {
    let stores = use_stores();
    let name = RwSignal::new(String::new());
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let model = name.with_untracked(|name| name.trim().to_owned());
        if !model.is_empty() {
            stores.pulls.start(model);
        }
    };
    let fault = Memo::new(move |_| {
        let pull = stores.pulls.current;
        pull.with(|pull| pull.as_ref().and_then(|pull| pull.fault.clone()))
    });

    view! {
        <div>
            <form class="field-row" on:submit=submit>
                <input
                    aria-label="Model name"
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
            <ShowLet some=fault let:fault>
                <PullFault fault />
            </ShowLet>
        </div>
    }
}
