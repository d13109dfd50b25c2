//! The progress of a running answer.

use leptos::prelude::*;

/// A sign at the end of the received text. It is not a live region, because screen readers would read it out
/// with each answer.
#[component]
pub fn Progress(
    /// Whether the text has begun, after the thinking.
    begun: bool,
) -> impl IntoView {
    view! {
        <span class="writing">
            <span class="pulse"></span>
            <span>{if begun { "Writing …" } else { "Thinking …" }}</span>
        </span>
    }
}
