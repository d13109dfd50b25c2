//! The parts of the next request, shown beside the line that counts them.

use super::window_words::parts;
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// The id of the parts, by which the line is described.
pub const PARTS: &str = "window-parts";

/// The parts of what goes with the next prompt. The styles show it while the line has the pointer or the focus.
#[component]
pub fn WindowParts() -> impl IntoView {
    let stores = use_stores();
    let lines = move || {
        let parts = parts(stores).into_iter();
        parts
            .map(|part| view! { <span>{part}</span> })
            .collect_view()
    };

    view! {
        <div class="window-parts" role="tooltip" id=PARTS>
            {lines}
        </div>
    }
}
