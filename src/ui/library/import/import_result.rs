//! What came of an import.

use super::flow::ImportFlow;
use leptos::prelude::*;

/// What came of an import, and the way to the next one.
#[component]
pub fn ImportResult(
    /// What came of it.
    words: String,
    /// Whether nothing did.
    #[prop(optional)]
    failed: bool,
) -> impl IntoView {
    let flow = expect_context::<ImportFlow>();

    view! {
        <div class="storage-row">
            <p class="note" class:note-failed=failed role="status">
                {words}
            </p>
            <button type="button" on:click=move |_| flow.choose_another()>
                "Another file"
            </button>
        </div>
    }
}
