//! Sash's logo.

use leptos::prelude::*;

/// A sash window with its lower pane slid up a little.
#[component]
pub fn Mark() -> impl IntoView {
    view! {
        <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
            <path d="M4.5 3.5h15v17h-15z" />
            <path d="M7 10.5h10v7H7z" class="mark-pane" />
            <path d="M7 6.5h10" />
        </svg>
    }
}
