//! An answer: what the model thought, and what it said.

use super::message_state::MessageState;
use super::thinking::Thinking;
use crate::ui::markdown::MarkdownText;
use leptos::prelude::*;

/// The answer of the message around.
#[component]
pub fn Answer() -> impl IntoView {
    let message = MessageState::expect();

    view! {
        <div>
            <Thinking />
            <div class="message-text" dir="auto">
                <MarkdownText text=message.text running=message.running />
            </div>
        </div>
    }
}
