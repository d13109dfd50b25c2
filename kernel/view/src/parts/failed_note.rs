//! The note where something that a person waits for failed.

use leptos::prelude::*;

/// The fallback of an `ErrorBoundary`: the sentence of the first error.
pub fn failed_note(errors: ArcRwSignal<Errors>) -> impl IntoView {
    let words = move || {
        errors.with(|errors| {
            let first = errors.iter().next();
            first.map(|(_, error)| error.to_string())
        })
    };
    view! {
        <p class="note note-failed" role="alert">
            {words}
        </p>
    }
}
