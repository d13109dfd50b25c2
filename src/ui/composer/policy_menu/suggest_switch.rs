//! Whether older messages are suggested.

use crate::ui::app::use_session;
use leptos::prelude::*;

/// A box that says whether the page may suggest what a draft refers to.
#[component]
pub fn SuggestSwitch() -> impl IntoView {
    let session = use_session();
    let toggle = move |_| {
        session.change_settings(|settings| settings.no_offers = !settings.no_offers);
    };

    view! {
        <div class="policy-row">
            <label>
                <input
                    type="checkbox"
                    aria-describedby="suggest-words"
                    prop:checked=move || !session.settings.with(|settings| settings.no_offers)
                    on:change=toggle
                />
                <span>"Suggest older messages"</span>
            </label>
            <p id="suggest-words">
                "When what you write refers to one that would not be sent."
            </p>
        </div>
    }
}
