//! The empty chat.

use crate::ui::app::session;
use leptos::prelude::*;

/// What a newcomer sees first: what this is, and that one can begin.
#[component]
pub fn Welcome() -> impl IntoView {
    let session = session();
    let ready = move || session.ollama.is_reachable() && session.model().is_some();
    view! {
        <Show when=ready>
            <div class="welcome">
                <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
                    <path d="M4.5 3.5h15v17h-15z"/>
                    <path class="mark-pane" d="M7 10.5h10v7H7z"/>
                    <path d="M7 6.5h10"/>
                </svg>
                <h2>"What would you like to ask?"</h2>
                <p>
                    "Every prompt takes the "<strong>"three messages before it"</strong>
                    " along, and nothing else. The bracket in the margin always shows which. The whole chat stays in this browser."
                </p>
            </div>
        </Show>
    }
}
