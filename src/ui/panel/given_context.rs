//! The context length that the person set for a model.

use crate::ui::parts::grouped;
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// Says that the person set a context length for this model; it is sent with every request until it is
/// removed here.
#[component]
pub fn GivenContext() -> impl IntoView {
    let stores = use_stores();
    let given = move || grouped(stores.steering.given_context().unwrap_or_default());

    view! {
        <p>
            {move || format!("You gave this model a context of {} tokens. ", given())}
            <button type="button" class="link" on:click=move |_| stores.steering.leave_context()>
                "Leave it to Ollama again"
            </button>
        </p>
    }
}
