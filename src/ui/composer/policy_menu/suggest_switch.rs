//! The setting that older messages are suggested.

use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// A checkbox: whether the page may suggest messages that a draft refers to.
#[component]
pub fn SuggestSwitch() -> impl IntoView {
    let stores = use_stores();

    view! {
        <div class="policy-row">
            <label>
                <input
                    type="checkbox"
                    aria-describedby="suggest-words"
                    prop:checked=move || !stores.settings.current.with(|settings| settings.no_offers)
                    on:change=move |_| stores.settings.toggle_offers()
                />
                <span>"Suggest older messages"</span>
            </label>
            <p id="suggest-words">
                "When what you write refers to one that would not be sent."
            </p>
        </div>
    }
}
