//! An incomplete answer.

use super::ask_again::AskAgain;
use crate::ui::parts::grouped;
use crate::ui::stores::use_stores;
use crate::ui::transcript::message_state::MessageState;
use leptos::prelude::*;
use sash_chat::Message;

/// Says why an answer is incomplete, and offers to ask again, or to continue it if it has text; with a
/// larger context if it filled its own.
#[component]
pub fn Incomplete(
    /// What happened.
    #[prop(into)]
    words: String,
    /// The classes of the note.
    #[prop(default = "note")]
    class: &'static str,
) -> impl IntoView {
    let stores = use_stores();
    let id = MessageState::expect().id;
    let begun = stores.chats.with_message(id, Message::is_sendable) == Some(true);
    let larger = Memo::new(move |_| stores.answers.context_to_continue(id));
    let raise = move || {
        let tokens = larger.get()?;
        let (room, then) = (
            grouped(tokens),
            if begun { "continue" } else { "ask again" },
        );
        Some(view! {
            <button
                type="button"
                class="link"
                disabled=move || !stores.answers.may_ask()
                title=format!("To {room} tokens; the model is loaded anew")
                on:click=move |_| stores.answers.raise_context_and_continue(id, tokens)
            >
                {format!("Raise the context and {then}")}
            </button>
        })
    };
    let resume = move || {
        (begun && larger.get().is_none()).then(|| {
            view! {
                <button
                    type="button"
                    class="link"
                    disabled=move || !stores.answers.may_ask()
                    on:click=move |_| stores.answers.continue_answer(id)
                >
                    "Continue"
                </button>
            }
        })
    };
    view! {
        <p class=class>
            <span>{words}</span>
            <AskAgain />
            {resume}
            {raise}
        </p>
    }
}
