//! The line below a message: its actions, its cost and its model; while it is being written, the progress.

use super::actions::MessageActions;
use super::figures::{Figures, RunningFigures};
use super::message_state::MessageState;
use super::unsaved_edit::UnsavedEdit;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_chat::window::Size;
use sash_chat::{ChatSettingsStoreFields, Message};
use sash_stores::AnswerState;
use sash_wire::short_name;
use sash_words::{count, t};

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

/// The line. It has the same height during and after an answer, and its figures and the model are at the same place, so
/// that nothing moves at its end, nor when the pointer comes near.
#[component]
pub fn MessageFoot(
    /// The model that wrote the message.
    model: Option<String>,
    /// Whether the person changed what the model wrote.
    edited: bool,
    /// When the message was written, in milliseconds since 1970.
    created: u64,
) -> impl IntoView {
    let message = MessageState::expect();
    let MessageState {
        text,
        state,
        editing,
        ..
    } = message;
    let begun = Memo::new(move |_| text.with(|text| !text.is_empty()));
    let stage = Memo::new(move |_| {
        state.with(|state| match state {
            // The note says what is waited for.
            AnswerState::Waiting(_) | AnswerState::Reconnecting { .. } => FootState::Hidden,
            AnswerState::Ended(_) if editing.get() => FootState::Hidden,
            AnswerState::Writing => FootState::Running { begun: begun.get() },
            AnswerState::Ended(_) => FootState::Done,
        })
    });
    let line = move || {
        let content = match stage.get() {
            FootState::Hidden => return None,
            FootState::Running { begun } => view! {
                <Progress begun />
                <RunningFigures />
            }
            .into_any(),
            FootState::Done => view! {
                <MessageActions />
                <UnsavedEdit />
                <WrittenAt created />
                {match message.is_answer() {
                    true => view! { <Figures /> }.into_any(),
                    false => view! { <Cost /> }.into_any(),
                }}
            }
            .into_any(),
        };
        let model = model
            .clone()
            .map(|model| view! { <AnswerModel model edited /> });
        Some(view! { <div class="message-foot">{content} {model}</div> })
    };
    view! { <div>{line}</div> }
}

/// The model that wrote the message, and its engine where there are several.
#[component]
fn AnswerModel(
    /// The model that was asked.
    model: String,
    /// Whether the person changed what the model wrote.
    edited: bool,
) -> impl IntoView {
    let engine = use_kernel().engine();
    let receipt = MessageState::expect().receipt;
    let asked = short_name(&model).to_owned();
    let name = move || {
        let other = receipt.with(|receipt| receipt.as_ref()?.answered_by.clone());
        match other {
            Some(other) => t!(
                transcript.instead_of,
                other = short_name(&other),
                asked = &asked
            ),
            None => asked.clone(),
        }
    };
    let of_engine = move || {
        // Without a receipt it came from elsewhere.
        let name = receipt.with(|receipt| engine.shown_name_of(receipt.as_ref()?))?;
        Some(view! { " · " <bdi>{name}</bdi> })
    };
    let edited = edited.then(|| view! { " · " {t!(transcript.edited_by_you)} });

    view! { <span class="answer-model" title=model>{name} {of_engine} {edited}</span> }
}

/// A sign at the end of the received text. It is not a live region, because screen readers would read it out with each
/// answer.
#[component]
fn Progress(
    /// Whether the text has begun, after the thinking.
    begun: bool,
) -> impl IntoView {
    let kernel = use_kernel();
    let MessageState { id, endable, .. } = MessageState::expect();
    view! {
        <span class="writing">
            <span class="pulse"></span>
            <span>{if begun { t!(transcript.writing) } else { t!(common.thinking) }}</span>
        </span>
        <Show when=move || !begun && endable.get()>
            <button
                type="button"
                class="link"
                title=t!(transcript.end_thinking_hint)
                on:click=move |_| kernel.answers().answer_now(id)
            >
                {t!(transcript.answer_now)}
            </button>
        </Show>
    }
}

/// The tokens of this row's question, shown once the pointer or focus comes near. Empty if it is never sent.
#[component]
fn Cost() -> impl IntoView {
    let kernel = use_kernel();
    let MessageState { id, near, .. } = MessageState::expect();
    kernel
        .chats()
        .with_message(id, Message::is_sendable)
        .filter(|is| *is)?;
    let words = move || {
        let unrecalled = kernel.chats().open_settings().unrecalled();
        let is_recalled = !unrecalled.with(|questions| questions.contains(&id));
        let size = kernel.chats().open_tree().with(|tree| {
            let message = tree.get(id)?;
            let with_recalled = is_recalled && message.recalled.is_some();
            Some(Size::of_message(message, with_recalled))
        });
        let tokens = kernel
            .steering()
            .estimate
            .get()
            .part(size.unwrap_or_default());
        t!(common.about_tokens, tokens = count::tokens(tokens as usize))
    };
    Some(view! {
        <span class="cost">
            <Show when=move || near.get()>
                <span>{words}</span>
            </Show>
        </span>
    })
}

/// The time of day, with the date as its tooltip, once the pointer or the focus comes near, in a place that is there
/// before. A message of another day shows the date too.
#[component]
fn WrittenAt(
    /// When, in milliseconds since 1970.
    created: u64,
) -> impl IntoView {
    let near = MessageState::expect().near;
    let words = move || match clock::day(created) == clock::day(clock::now()) {
        true => clock::time_of_day(created),
        false => clock::date(created),
    };

    view! {
        <span class="written-at">
            <Show when=move || near.get() && (created > 0)>
                <time datetime=clock::iso(created) title=clock::date(created)>
                    {words}
                </time>
            </Show>
        </span>
    }
}
