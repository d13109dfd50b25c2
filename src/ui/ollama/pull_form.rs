//! Pulls a model by its name.

use super::pull_fault::PullFault;
use super::pull_name_form::PullNameForm;
use super::pull_progress::PullProgress;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_wire::Fault;

/// The form for the model's name, then the progress of the pull. Once it is installed, the open chat takes
/// the model.
#[component]
pub fn PullForm() -> impl IntoView {
    let pulls = use_stores().pulls;
    let active = Memo::new(move |_| pulls.latest_active());

    view! {
        <div class="pull-place">
            <Show when=move || active.with(Option::is_none)>
                <NewPull />
            </Show>
            <For each=move || active.get() key=Clone::clone let:model>
                <div class="pull">
                    <PullProgress model=model.clone() />
                    <button type="button" on:click=move |_| pulls.stop(&model)>
                        "Stop pulling"
                    </button>
                </div>
            </For>
        </div>
    }
}

/// The form for the model's name, and the fault of the last attempt.
#[component]
fn NewPull() -> impl IntoView {
    let pulls = use_stores().pulls;
    let refused = RwSignal::new(None::<Fault>);
    let fault = Memo::new(move |_| refused.get().or_else(|| pulls.latest_fault()));

    view! {
        <div>
            <PullNameForm
                label="Model name"
                refused
                start=move |model| pulls.start_and_choose(model)
            />
            <ShowLet some=fault let:fault>
                <PullFault fault />
            </ShowLet>
        </div>
    }
}
