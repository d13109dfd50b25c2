//! An answer: its thinking and its text.

use super::message_state::MessageState;
use super::thinking::Thinking;
use crate::ui::markdown::MarkdownText;
use leptos::prelude::*;

/// The answer of this row.
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
