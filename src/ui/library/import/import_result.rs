//! The result of an import.

use super::flow::ImportFlow;
use leptos::prelude::*;

/// The result of an import, and the button for another one.
#[component]
pub fn ImportResult(
    /// The result in words.
    words: String,
    /// Whether the import failed.
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
