//! An answer that is being written.

use leptos::prelude::*;

/// Stands at the end of what has come. It is no live region: that would be read out with each answer.
#[component]
pub fn Progress(
    /// Whether the answer itself has begun, after the thinking.
    begun: bool,
) -> impl IntoView {
    view! {
        <span class="writing">
            <span class="pulse"></span>
            <span>{if begun { "Writing …" } else { "Thinking …" }}</span>
        </span>
    }
}
