//! The progress of an import.

use super::flow::{ImportFlow, ImportState};
use leptos::prelude::*;

/// The progress of an import, and the button that stops it.
#[component]
pub fn ImportProgress(
    /// The name of the step.
    label: &'static str,
) -> impl IntoView {
    let flow = expect_context::<ImportFlow>();
    let done = move || match flow.step.get() {
        ImportState::Reading(done) | ImportState::Running(done) => done.to_string(),
        _ => String::new(),
    };

    view! {
        <div class="storage-row">
            <progress aria-label=label max="100" value=done />
            <button type="button" on:click=move |_| flow.stop()>
                "Stop"
            </button>
        </div>
    }
}
