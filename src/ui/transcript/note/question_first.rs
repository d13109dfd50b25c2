//! A request that a template refused because it begins with an answer.

use super::ask_again::AskAgain;
use crate::ui::stores::use_stores;
use crate::ui::transcript::message_state::MessageState;
use leptos::prelude::*;
use sash_chat::window::FirstMessageRule;
use sash_chat::{Message, ModelId};

/// Says that the model's chat template refused a request that begins with an answer. The suggested solution
/// comes first, unless it is already in use for this model.
#[component]
pub fn QuestionFirst(
    /// The engine's message.
    words: String,
) -> impl IntoView {
    let stores = use_stores();
    let id = MessageState::expect().id;
    let model = stores.chats.with_message(id, Message::model_id).flatten();
    let is_refused = move || {
        let settings = stores.settings.current;
        let key = model.as_ref().map(ModelId::key);
        settings.with(|settings| settings.opening_for(key.as_deref()) == FirstMessageRule::Any)
    };
    view! {
        <p class="note note-failed">
            <span>{words}</span>
            <Show when=is_refused>
                <button
                    type="button"
                    class="link"
                    disabled=move || !stores.answers.may_ask()
                    on:click=move |_| stores.answers.include_question(id)
                >
                    "Include the question before"
                </button>
            </Show>
            <AskAgain />
        </p>
    }
}
