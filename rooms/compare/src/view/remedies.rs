//! Another model, where an answer failed.

use crate::SideBySide;
use leptos::prelude::*;
use sash_chat::Outcome;
use sash_stores::AnswerState;
use sash_view::stores::use_kernel;
use sash_view::transcript::MessageState;
use sash_wire::Fault;
use sash_words::t;

/// Opens the list of the models with which the question can be asked again. Empty where that does not help.
#[component]
pub fn OtherModel() -> impl IntoView {
    let (kernel, side_by_side) = (use_kernel(), SideBySide::expect());
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
        true => t!(compare.choose_a_smaller_model),
        false => t!(compare.choose_another_model),
    };

    helps.then(|| {
        view! {
            <button
                type="button"
                class="link"
                disabled=move || !kernel.answers().can_send()
                on:click=move |_| side_by_side.choose_other(id)
            >
                {label}
            </button>
        }
    })
}
