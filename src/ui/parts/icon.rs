//! One icon.

use super::IconName;
use leptos::prelude::*;

/// An icon. It is always next to or inside an element with a name in words.
#[component]
pub fn Icon(
    /// Which one.
    name: IconName,
) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
            <path d=name.path() />
        </svg>
    }
}
