//! An answer whose end is not here.

use super::incomplete::Incomplete;
use crate::ui::app::use_session;
use leptos::prelude::*;

/// Says that an answer was lost half-way, or that another tab is writing it.
#[component]
pub fn Interrupted() -> impl IntoView {
    let session = use_session();
    view! {
        <div>
            <Show
                when=move || session.is_elsewhere(session.open_id())
                fallback=|| view! { <Incomplete words="Interrupted" /> }
            >
                <p class="note">"Being written in another tab"</p>
            </Show>
        </div>
    }
}
