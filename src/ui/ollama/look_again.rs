//! What can be done while no engine answers.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_wire::Upstream;

/// Looks for the engine again, or goes on with the demo.
#[component]
pub fn LookAgain() -> impl IntoView {
    let engine = use_stores().engine;
    let look_words = move || match engine.looking.get() {
        true => "Looking …",
        false => "Look again",
    };

    view! {
        <div class="panel-buttons">
            <button type="button" class="primary" on:click=move |_| engine.look_again()>
                {look_words}
            </button>
            <button type="button" on:click=move |_| engine.use_upstream(Upstream::Demo)>
                "Try the demo"
            </button>
        </div>
    }
}
