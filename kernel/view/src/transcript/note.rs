//! The note on the state of an answer: waiting, stopped, interrupted, cut off, failed.

use super::actions::{focus_after_asking, use_ask_again};
use super::message_state::MessageState;
use super::remedies::{Remedies, WithoutThinking};
use super::waiting::Waiting;
use crate::browser::focus_refs::FocusRefs;
use crate::places::use_places;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_chat::window::FirstMessageRule;
use sash_chat::{Message, ModelId, NoText, Outcome};
use sash_stores::{AnswerState, cut_off_words};
use sash_wire::Fault;
use sash_words::{count::grouped, t};

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
    let answers = use_kernel().answers();
    let note = move || match state.get() {
        AnswerState::Waiting(since) => view! { <Waiting since /> }.into_any(),
        AnswerState::Reconnecting { goes_on } => view! { <Reconnecting goes_on /> }.into_any(),
        AnswerState::Writing => ().into_any(),
        AnswerState::Ended(Outcome::Complete) => view! { <WithoutText /> }.into_any(),
        AnswerState::Ended(Outcome::CutOff) => {
            // The tokens of the thinking count too.
            let while_thinking =
                text.with_untracked(String::is_empty) && !thinking.with_untracked(String::is_empty);
            let receipt = receipt.get().map(|receipt| answers.with_context(receipt));
            let words = cut_off_words(receipt.as_ref(), while_thinking);
            view! { <Incomplete words /> }.into_any()
        }
        AnswerState::Ended(Outcome::Stopped) => {
            view! { <Incomplete words=t!(common.stopped) /> }.into_any()
        }
        AnswerState::Ended(Outcome::Interrupted) => view! { <Interrupted /> }.into_any(),
        AnswerState::Ended(Outcome::Failed(failure)) => {
            let words = failure.sentence;
            match failure.code.as_deref() {
                Some(Fault::MODEL_NOT_FOUND) => view! { <MissingModel words /> }.into_any(),
                Some(Fault::QUESTION_FIRST) => view! { <QuestionFirst words /> }.into_any(),
                _ => {
                    let code = failure.code.unwrap_or_default();
                    view! { <Incomplete words class="note note-failed" code /> }.into_any()
                }
            }
        }
    };
    view! { <div>{note}</div> }
}

/// Says why an answer is incomplete, and offers to ask again, or to continue it if it has text; with a
/// larger context if it filled its own.
#[component]
fn Incomplete(
    /// What happened.
    #[prop(into)]
    words: String,
    /// The classes of the note.
    #[prop(default = "note")]
    class: &'static str,
    /// The code of the fault that ended it; empty without one.
    #[prop(optional)]
    code: String,
) -> impl IntoView {
    let kernel = use_kernel();
    let id = MessageState::expect().id;
    let prompt = FocusRefs::expect().prompt;
    let begun = kernel.chats().with_message(id, Message::is_sendable) == Some(true);
    let larger = Memo::new(move |_| kernel.answers().context_to_continue(id));
    let raise = move || {
        let tokens = larger.get()?;
        let room = grouped(tokens);
        let then = match begun {
            true => t!(transcript.continue_link),
            false => t!(transcript.ask_again_link),
        };
        Some(view! {
            <AskButton
                attr:title=t!(transcript.raise_context_hint, room = &room)
                on:click=move |_| kernel.answers().raise_context_and_continue(id, tokens)
            >
                {t!(transcript.raise_context_and, then = &then)}
            </AskButton>
        })
    };
    let resume_answer = move |_| {
        kernel.answers().continue_answer(id);
        focus_after_asking(prompt);
    };
    let resume = move || {
        (begun && larger.get().is_none()).then(|| {
            view! { <AskButton on:click=resume_answer>{t!(transcript.continue_word)}</AskButton> }
        })
    };
    view! {
        <p class=class>
            <span>{words}</span>
            <AskAgain />
            {resume}
            {raise}
            <Remedies code />
            {use_places().message_remedies.view()}
        </p>
    }
}

/// Says that a complete answer has no text, and what can be done; empty for any other.
#[component]
fn WithoutText() -> impl IntoView {
    let kernel = use_kernel();
    let id = MessageState::expect().id;
    let no_text = kernel.chats().with_message(id, NoText::of).flatten()?;
    let remedy = match no_text {
        NoText::Empty => t!(transcript.again_change_model),
        NoText::OnlyThinking => t!(transcript.again_think_less),
    };

    Some(view! {
        <p class="note">
            <span>{no_text.words()} " " {remedy}</span>
            <AskAgain />
            {(no_text == NoText::OnlyThinking).then(|| view! { <WithoutThinking /> })}
            {use_places().message_remedies.view()}
        </p>
    })
}

/// Says that an answer was interrupted, or that another tab is writing it.
#[component]
fn Interrupted() -> impl IntoView {
    let kernel = use_kernel();
    let words = match kernel.answers().outlive_page() {
        true => t!(common.interrupted),
        false => t!(transcript.interrupted_without_locks),
    };
    view! {
        <div>
            <Show
                when=move || kernel.remote().contains(kernel.chats().open_id())
                fallback=move || view! { <Incomplete words /> }
            >
                <p class="note">{t!(transcript.answered_in_another_tab)}</p>
            </Show>
        </div>
    }
}

/// Says that the model is not installed.
#[component]
fn MissingModel(
    /// The engine's message.
    words: String,
) -> impl IntoView {
    let places = use_places();
    view! {
        <p class="note note-failed">
            <span>{words}</span>
            {places.first_remedies.view()}
            <AskAgain />
            {places.message_remedies.view()}
        </p>
    }
}

/// Says that the model's chat template refused a request that begins with an answer. The suggested solution
/// comes first, unless it is already in use for this model.
#[component]
fn QuestionFirst(
    /// The engine's message.
    words: String,
) -> impl IntoView {
    let kernel = use_kernel();
    let id = MessageState::expect().id;
    let model = kernel.chats().with_message(id, Message::model_id).flatten();
    let is_refused = move || {
        let key = model.as_ref().map(ModelId::key);
        kernel.settings().opening_for(key.as_deref()) == FirstMessageRule::Any
    };
    view! {
        <p class="note note-failed">
            <span>{words}</span>
            <Show when=is_refused>
                <AskButton on:click=move |_| kernel.answers().include_question(id)>
                    {t!(transcript.include_question_before)}
                </AskButton>
            </Show>
            <AskAgain />
        </p>
    }
}

/// A button in a note that requests another answer as a further version.
#[component]
fn AskAgain() -> impl IntoView {
    view! { <AskButton on:click=use_ask_again()>{t!(transcript.ask_again)}</AskButton> }
}

/// A button in a note that asks the model, while a prompt can be sent.
#[component]
fn AskButton(
    /// Its words.
    children: Children,
) -> impl IntoView {
    let kernel = use_kernel();
    view! {
        <button type="button" class="link" disabled=move || !kernel.answers().can_send()>
            {children()}
        </button>
    }
}

/// Says that the connection is lost, and what becomes of the answer.
#[component]
fn Reconnecting(
    /// Whether the answer goes on at the server.
    goes_on: bool,
) -> impl IntoView {
    let words = match goes_on {
        true => t!(transcript.connection_lost_goes_on),
        false => t!(transcript.connection_lost),
    };

    view! {
        <p class="note waiting">
            <span class="pulse"></span>
            <span>{words}</span>
        </p>
    }
}
