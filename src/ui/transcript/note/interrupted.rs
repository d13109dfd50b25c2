//! An interrupted answer.

use super::incomplete::Incomplete;
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// Says that an answer was interrupted, or that another tab is writing it.
#[component]
pub fn Interrupted() -> impl IntoView {
    let stores = use_stores();
    view! {
        <div>
            <Show
                when=move || stores.remote.contains(stores.chats.open_id())
                fallback=|| view! { <Incomplete words="Interrupted" /> }
            >
                <p class="note">"Being written in another tab"</p>
            </Show>
        </div>
    }
}
