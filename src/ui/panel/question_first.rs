//! A model whose chat template requires a question first.

use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// Says that the model's chat template requires a question first. This applies to all chats with this model
/// until it is revoked here.
#[component]
pub fn QuestionFirst() -> impl IntoView {
    let stores = use_stores();

    view! {
        <p>
            "This model wants a question first. Where the rule begins with an answer, the question before goes along. "
            <button type="button" class="link" on:click=move |_| stores.steering.leave_question_out()>
                "Leave it out again"
            </button>
        </p>
    }
}
