//! Asks the question of an answer again.

use crate::ui::app::use_session;
use crate::ui::transcript::message_state::MessageState;
use leptos::prelude::*;

/// A button in a note: another answer beside this one.
#[component]
pub fn AskAgain() -> impl IntoView {
    let session = use_session();
    let id = MessageState::expect().id;
    view! {
        <button
            type="button"
            class="link"
            disabled=move || !session.may_ask()
            on:click=move |_| session.answer_again(id)
        >
            "Ask again"
        </button>
    }
}
