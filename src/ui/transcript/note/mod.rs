//! The note on the state of an answer: waiting, stopped, interrupted, cut off, failed.

mod ask_again;
mod incomplete;
mod interrupted;
mod missing_model;
mod question_first;
mod waiting;

use super::message_state::MessageState;
use crate::ui::stores::use_stores;
use incomplete::Incomplete;
use interrupted::Interrupted;
use leptos::prelude::*;
use missing_model::MissingModel;
use question_first::QuestionFirst;
use sash_chat::Outcome;
use sash_state::{AnswerState, cut_off_words};
use sash_wire::Fault;
use waiting::Waiting;

/// The note of this row's message; empty if there is nothing to say.
#[component]
pub fn Note() -> impl IntoView {
    let MessageState {
        state,
        text,
        thinking,
        receipt,
        ..
    } = MessageState::expect();
    let answers = use_stores().answers;
    let note = move || match state.get() {
        AnswerState::Waiting(since) => view! { <Waiting since /> }.into_any(),
        AnswerState::Writing | AnswerState::Ended(Outcome::Complete) => ().into_any(),
        AnswerState::Ended(Outcome::CutOff) => {
            // The tokens of the thinking count too.
            let while_thinking =
                text.with_untracked(String::is_empty) && !thinking.with_untracked(String::is_empty);
            let receipt = receipt.get().map(|receipt| answers.with_context(receipt));
            let words = cut_off_words(receipt.as_ref(), while_thinking);
            view! { <Incomplete words /> }.into_any()
        }
        AnswerState::Ended(Outcome::Stopped) => view! { <Incomplete words="Stopped" /> }.into_any(),
        AnswerState::Ended(Outcome::Interrupted) => view! { <Interrupted /> }.into_any(),
        AnswerState::Ended(Outcome::Failed(failure)) => {
            let words = failure.sentence;
            match failure.code.as_deref() {
                Some(Fault::MODEL_NOT_FOUND) => view! { <MissingModel words /> }.into_any(),
                Some(Fault::QUESTION_FIRST) => view! { <QuestionFirst words /> }.into_any(),
                _ => view! { <Incomplete words class="note note-failed" /> }.into_any(),
            }
        }
    };
    view! { <div>{note}</div> }
}
