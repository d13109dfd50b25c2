//! Pulls a model by its name: in a dialog, and where no model is installed.

use super::pull_fault::PullFault;
use super::pull_name_form::PullNameForm;
use super::pull_progress::PullProgress;
use crate::Pulls;
use leptos::prelude::*;
use sash_ui_kit::{DialogFrame, DialogWidth};
use sash_wire::Fault;
use sash_words::t;

/// The dialog that pulls a model, opened from the model picker. It closes when the pull is complete.
#[component]
pub fn PullDialog() -> impl IntoView {
    let shown = Pulls::expect().asked;

    view! {
        <DialogFrame
            class="pull-dialog"
            title_id="pull-title"
            title=t!(models.pull_a_model)
            width=DialogWidth::Narrow
            shown
            on_close=move || shown.set(false)
        >
            <div class="dialog-body">
            <p>
                {t!(models.by_its_name_as_in_ollamas)}
                <code>{t!(models.example_model)}</code>
                " "
                <code>{t!(models.qwen3_4b)}</code>
                " "
                <code>{t!(models.hf_co_user_model)}</code>
                " "
            </p>
            <Show when=move || shown.get()>
                <PullForm />
            </Show>
            </div>
        </DialogFrame>
    }
}

/// The form for the model's name, then the progress of the pull. Once it is installed, the open chat takes
/// the model.
#[component]
pub fn PullForm() -> impl IntoView {
    let pulls = Pulls::expect();
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
                        {t!(models.stop_pulling)}
                    </button>
                </div>
            </For>
        </div>
    }
}

/// The form for the model's name, and the fault of the last attempt.
#[component]
fn NewPull() -> impl IntoView {
    let pulls = Pulls::expect();
    let refused = RwSignal::new(None::<Fault>);
    let fault = Memo::new(move |_| refused.get().or_else(|| pulls.latest_fault()));

    view! {
        <div>
            <PullNameForm
                label=t!(models.model_name)
                refused
                start=move |model| pulls.start_and_choose(model)
            />
            <ShowLet some=fault let:fault>
                <PullFault fault />
            </ShowLet>
        </div>
    }
}
