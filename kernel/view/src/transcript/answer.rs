//! An answer: its thinking and its text.

use super::message_state::MessageState;
use crate::places::use_places;
use leptos::prelude::*;
use sash_markdown_view::MarkdownText;
use sash_stores::{JSON_BLOCK_BEGINNING, json_block};
use sash_ui_kit::GrowingText;
use sash_words::{count, t};

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
            {use_places().message_body.view()}
        </div>
    }
}

/// An answer in JSON as a block of code: as it comes while it runs, with a line for each field when it has
/// ended. What the model reads of it later is the text as it came.
#[component]
fn StructuredText() -> impl IntoView {
    let message = MessageState::expect();
    let running = message.running;
    let ended = move || {
        let text = message.text.with_untracked(|text| json_block(text));
        let text = ArcRwSignal::new(text);
        view! { <MarkdownText text running /> }
    };

    view! {
        <Show when=move || running.get() fallback=ended>
            <MarkdownText text=message.text before=JSON_BLOCK_BEGINNING running />
        </Show>
    }
}

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
        true => t!(transcript.thoughts_so_far).to_owned(),
        false => {
            let time = receipt.with(|r| r.as_ref().and_then(|r| r.thinking_ms));
            time.map_or_else(|| t!(transcript.thought).to_owned(), thought_for)
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
    let time = match (seconds / 60, seconds % 60) {
        (0, 0) => t!(transcript.a_moment).to_owned(),
        (0, seconds) => count::seconds(seconds as usize),
        (minutes, 0) => count::minutes(minutes as usize),
        (minutes, seconds) => t!(
            transcript.minutes_and_seconds,
            minutes = count::minutes(minutes as usize),
            seconds = count::seconds(seconds as usize)
        ),
    };
    t!(transcript.thought_for, time = &time)
}

/// Says where an answer is not in the form that was asked for; empty if it is.
#[component]
fn Misfits() -> impl IntoView {
    let receipt = MessageState::expect().receipt;
    let lines = Memo::new(move |_| {
        let misfits = receipt.with(|receipt| receipt.as_ref().and_then(|r| r.misfits.clone()));
        misfits.unwrap_or_default()
    });

    view! {
        <Show when=move || !lines.with(Vec::is_empty)>
            <div class="note note-failed">
                <span>{t!(transcript.answer_misfits)}</span>
                <ul>
                    {move || {
                        lines.get().into_iter().map(|line| view! { <li>{line}</li> }).collect_view()
                    }}
                </ul>
            </div>
        </Show>
    }
}
