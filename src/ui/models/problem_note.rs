//! What went wrong.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::ModelId;
use sash_wire::short_name;

/// The action that failed last, and why the list could not be had. The list of before stays.
#[component]
pub fn ProblemNote() -> impl IntoView {
    let models = use_stores().models;
    let problem = Memo::new(move |_| models.problem.get());
    let fault = Memo::new(move |_| models.list_fault.get());

    view! {
        <div class="models-notes">
            <ShowLet some=problem let:problem>
                <p class="note note-failed">
                    <span>
                        <strong>{short_name(&ModelId::from(&*problem.model).name).to_owned()}</strong>
                        ": "
                        {problem.fault.to_string()}
                    </span>
                    <button type="button" class="link" on:click=move |_| models.problem.set(None)>
                        "Dismiss"
                    </button>
                </p>
            </ShowLet>
            <ShowLet some=fault let:fault>
                <p class="note note-failed">
                    <span>{fault.to_string()}</span>
                    <button type="button" class="link" on:click=move |_| models.refresh()>
                        "Look again"
                    </button>
                </p>
            </ShowLet>
        </div>
    }
}
