//! Another model, where an answer failed.

use super::ask_with;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::Outcome;
use sash_stores::AnswerState;
use sash_view::transcript::MessageState;
use sash_wire::Fault;
use sash_words::t;

/// Opens the list of the models with which the question can be asked again. Empty where that does not help.
#[component]
pub fn OtherModel() -> impl IntoView {
    let stores = use_stores();
    let MessageState { id, state, .. } = MessageState::expect();
    let code = match state.get_untracked() {
        AnswerState::Ended(Outcome::Failed(failure)) => failure.code.unwrap_or_default(),
        // It has no text.
        AnswerState::Ended(Outcome::Complete) => Fault::MODEL_NOT_FOUND.to_owned(),
        _ => return None,
    };
    let is_full = code == Fault::OUT_OF_MEMORY;
    let helps = is_full || code == Fault::MODEL_NOT_FOUND || Fault::wants_another_model(&code);
    let label = match is_full {
        true => t!(transcript.choose_a_smaller_model),
        false => t!(transcript.choose_another_model),
    };

    helps.then(|| {
        view! {
            <button
                type="button"
                class="link"
                disabled=move || !stores.kernel().answers().can_send()
                on:click=move |_| ask_with(stores, id)
            >
                {label}
            </button>
        }
    })
}
