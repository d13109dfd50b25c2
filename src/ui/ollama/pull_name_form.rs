//! The form for the name of a model.

use super::pull_fault::PullFault;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_wire::Fault;
use web_sys::SubmitEvent;

/// The name of a model to pull, and the fault of the last attempt.
#[component]
pub fn PullNameForm() -> impl IntoView {
    let pulls = use_stores().pulls;
    let name = RwSignal::new(String::new());
    let refused = RwSignal::new(None::<Fault>);
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let model = name.with_untracked(|name| name.trim().to_owned());
        if !model.is_empty() {
            refused.set(pulls.start_and_choose(&model).err());
        }
    };
    let fault = Memo::new(move |_| refused.get().or_else(|| pulls.latest_fault()));

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
