//! An answer: its thinking, its text and its calls of tools.

use super::message_state::MessageState;
use super::misfits::Misfits;
use super::structured_text::StructuredText;
use super::thinking::Thinking;
use crate::ui::markdown::MarkdownText;
use crate::ui::tools::{ToolCalls, WaitingCalls};
use leptos::prelude::*;

/// The answer of this row.
#[component]
pub fn Answer() -> impl IntoView {
    let message = MessageState::expect();
    // The request decides the form; it does not change.
    let is_structured = message
        .receipt
        .with_untracked(|receipt| receipt.as_ref().is_some_and(|r| r.format.is_some()));
    let text = match is_structured {
        true => view! { <StructuredText /> }.into_any(),
        false => view! { <MarkdownText text=message.text running=message.running /> }.into_any(),
    };

    view! {
        <div>
            <Thinking />
            <div class="message-text" dir="auto">
                {text}
            </div>
            <Misfits />
            <ToolCalls
                calls=message.calls
                left_out=message.calls_left_out
                receipt=message.receipt
            />
            <WaitingCalls id=message.id running=message.running calls=message.calls />
        </div>
    }
}
