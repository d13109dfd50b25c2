//! The line below a message: its actions, its cost and its model; while it is being written, the progress.

use super::actions::MessageActions;
use super::message_state::MessageState;
use super::unsaved_edit::UnsavedEdit;
use crate::browser::clock;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use leptos_use_interval_fn::use_interval_fn;
use sash_chat::window::Size;
use sash_chat::{ChatSettingsStoreFields, Message};
use sash_state::AnswerState;
use sash_wire::short_name;
use sash_words::{
    count::{self, grouped},
    t,
};

/// How often the speed is read, in milliseconds.
const TICK_MS: u64 = 1_000;

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
    /// Whether the person changed what the model wrote.
    edited: bool,
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
            FootState::Running { begun } => view! { <Progress begun /> }.into_any(),
            FootState::Done => view! {
                <MessageActions />
                <UnsavedEdit />
                <Cost />
            }
            .into_any(),
        };
        let other = receipt.with(|receipt| receipt.as_ref()?.answered_by.clone());
        let model = model.clone().map(|model| {
            let asked = short_name(&model).to_owned();
            let name = match other {
                Some(other) => t!(
                    transcript.instead_of,
                    other = short_name(&other),
                    asked = &asked
                ),
                None => asked,
            };
            let edited = edited.then(|| view! { " · " {t!(transcript.edited_by_you)} });
            view! { <span class="answer-model" title=model>{name} {edited}</span> }
        });
        let time = matches!(stage.get(), FootState::Done).then(|| view! { <WrittenAt created /> });
        Some(view! { <div class="message-foot">{content} {model} {time}</div> })
    };
    view! { <div>{line}</div> }
}

/// A sign at the end of the received text, and about how fast the text comes. It is not a live region, because screen readers would read it out
/// with each answer.
#[component]
fn Progress(
    /// Whether the text has begun, after the thinking.
    begun: bool,
) -> impl IntoView {
    let stores = use_stores();
    let MessageState { id, endable, .. } = MessageState::expect();
    let speed = RwSignal::new(stores.answers.speed_of(id));
    let tick = move || _ = speed.try_set(stores.answers.speed_of(id));
    use_interval_fn(tick, TICK_MS);
    let words = move || {
        let speed = speed.get().filter(|speed| *speed > 0)?;
        Some(
            view! { <span class="speed">{t!(transcript.about_tokens_s, speed = grouped(speed))}</span> },
        )
    };
    view! {
        <span class="writing">
            <span class="pulse"></span>
            <span>{if begun { t!(transcript.writing) } else { t!(common.thinking) }}</span>
            {words}
        </span>
        <Show when=move || !begun && endable.get()>
            <button
                type="button"
                class="link"
                title=t!(transcript.end_the_thinking)
                on:click=move |_| stores.answers.answer_now(id)
            >
                {t!(transcript.answer_now)}
            </button>
        </Show>
    }
}

/// The tokens of this row's message, shown once the pointer or focus comes near. Empty if it is never sent.
#[component]
fn Cost() -> impl IntoView {
    let stores = use_stores();
    let MessageState { id, near, .. } = MessageState::expect();
    stores
        .chats
        .with_message(id, Message::is_sendable)
        .filter(|is| *is)?;
    let words = move || {
        let unrecalled = stores.chats.open_settings().unrecalled();
        let is_recalled = !unrecalled.with(|questions| questions.contains(&id));
        let size = stores.chats.open_tree().with(|tree| {
            let message = tree.get(id)?;
            let with_recalled = is_recalled && message.recalled.is_some();
            Some(Size::of_message(message, with_recalled))
        });
        let tokens = stores
            .steering
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

/// The time of day, with the date as its tooltip, once the pointer or the focus comes near. A message of another day shows
/// the date too.
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
        <Show when=move || near.get() && (created > 0)>
            <time class="written-at" datetime=clock::iso(created) title=clock::date(created)>
                {words}
            </time>
        </Show>
    }
}
