//! The line below a message: its actions, its cost and its model; while it is being written, the progress.

mod cost;
mod progress;
mod written_at;

use super::actions::MessageActions;
use super::message_state::MessageState;
use cost::Cost;
use leptos::prelude::*;
use progress::Progress;
use sash_state::AnswerState;
use sash_wire::short_name;
use written_at::WrittenAt;

/// The stage of the message, for the line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FootState {
    /// Another part of the message shows its state.
    Hidden,
    /// It is being written.
    Running {
        /// Whether the answer itself has begun.
        begun: bool,
    },
    /// It is complete.
    Done,
}

/// The line. It has the same height during and after an answer, so that nothing moves at its end.
#[component]
pub fn MessageFoot(
    /// The model that wrote the message.
    model: Option<String>,
    /// When the message was written, in milliseconds since 1970.
    created: u64,
) -> impl IntoView {
    let MessageState {
        text,
        state,
        editing,
        receipt,
        ..
    } = MessageState::expect();
    let begun = Memo::new(move |_| text.with(|text| !text.is_empty()));
    let stage = Memo::new(move |_| {
        state.with(|state| match state {
            AnswerState::Waiting(_) => FootState::Hidden,
            AnswerState::Ended(_) if editing.get() => FootState::Hidden,
            AnswerState::Writing => FootState::Running { begun: begun.get() },
            AnswerState::Ended(_) => FootState::Done,
        })
    });
    let line = move || {
        let content = match stage.get() {
            FootState::Hidden => return None,
            FootState::Running { begun } => view! { <Progress begun /> }.into_any(),
            FootState::Done => view! {
                <MessageActions />
                <Cost />
            }
            .into_any(),
        };
        let other = receipt.with(|receipt| receipt.as_ref()?.answered_by.clone());
        let model = model.clone().map(|model| {
            let asked = short_name(&model).to_owned();
            let name = match other {
                Some(other) => format!("{} instead of {asked}", short_name(&other)),
                None => asked,
            };
            view! { <span class="answer-model" title=model>{name}</span> }
        });
        let time = matches!(stage.get(), FootState::Done).then(|| view! { <WrittenAt created /> });
        Some(view! { <div class="message-foot">{content} {model} {time}</div> })
    };
    view! { <div>{line}</div> }
}
