//! A button that asks the question of an answer again.

use crate::ui::stores::use_stores;
use crate::ui::transcript::message_state::MessageState;
use leptos::prelude::*;

/// A button in a note that requests another answer as a further version.
#[component]
pub fn AskAgain() -> impl IntoView {
    let stores = use_stores();
    let id = MessageState::expect().id;
    view! {
        <button
            type="button"
            class="link"
            disabled=move || !stores.answers.may_ask()
            on:click=move |_| stores.answers.answer_again(id)
        >
            "Ask again"
        </button>
    }
}
