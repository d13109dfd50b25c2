//! An answer of a model that is not installed.

use super::ask_again::AskAgain;
use crate::ui::stores::use_stores;
use crate::ui::transcript::message_state::MessageState;
use leptos::prelude::*;
use sash_chat::Message;
use sash_wire::{EngineAction, short_name};

/// Says that the model is not installed, and offers to pull it.
#[component]
pub fn MissingModel(
    /// The engine's message.
    words: String,
) -> impl IntoView {
    let stores = use_stores();
    let id = MessageState::expect().id;
    let model = stores.chats.with_message(id, Message::model_id).flatten();
    let puller = untrack(|| stores.engine.first_that_can(EngineAction::Pull));
    let pull = model.filter(|model| puller.as_ref() == Some(&model.engine));
    let pull = pull.map(|model| {
        let label = format!("Pull {}", short_name(&model.name));
        let start = move |_| {
            if let Err(fault) = stores.pulls.start_and_choose(&model.name) {
                stores.notices.show(fault.to_string());
            } else {
                stores.pulls.asked.set(true);
            }
        };
        view! {
            <button type="button" class="link" on:click=start>
                {label}
            </button>
        }
    });

    view! {
        <p class="note note-failed">
            <span>{words}</span>
            {pull}
            <AskAgain />
        </p>
    }
}
