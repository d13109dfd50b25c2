//! The thinking of an answer.

use super::message_state::MessageState;
use crate::ui::parts::GrowingText;
use leptos::prelude::*;

/// The thinking of an answer: folded, unless there is no text yet. Empty without thinking.
#[component]
pub fn Thinking() -> impl IntoView {
    let MessageState {
        text,
        thinking,
        running,
        receipt,
        ..
    } = MessageState::expect();
    let only_thinking = Memo::new(move |_| running.get() && text.with(String::is_empty));
    let summary = move || match only_thinking.get() {
        true => "Thinking…".to_owned(),
        false => {
            let time = receipt.with(|r| r.as_ref().and_then(|r| r.thinking_ms));
            time.map_or_else(|| "Thought".to_owned(), thought_for)
        }
    };
    view! {
        <div>
            <Show when=move || thinking.with(|text| !text.is_empty())>
                <details class="thinking" open=move || only_thinking.get()>
                    <summary>{summary}</summary>
                    <GrowingText class="thinking-text" text=thinking />
                </details>
            </Show>
        </div>
    }
}

/// The duration of the thinking, in words.
fn thought_for(millis: u64) -> String {
    let seconds = (millis + 500) / 1000;
    let count = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let time = match (seconds / 60, seconds % 60) {
        (0, 0) => "a moment".to_owned(),
        (0, seconds) => count(seconds, "second"),
        (minutes, 0) => count(minutes, "minute"),
        (minutes, seconds) => format!("{} {}", count(minutes, "minute"), count(seconds, "second")),
    };
    format!("Thought for {time}")
}
