//! What helps where the model of an answer is missing, or finds no room.

use super::memory_remedies::MemoryRemedies;
use crate::Pulls;
use leptos::prelude::*;
use sash_chat::{Message, Outcome};
use sash_stores::AnswerState;
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::stores::use_kernel;
use sash_view::transcript::{MessageState, focus_after_asking};
use sash_wire::{EngineAction, Fault, NUM_CTX, short_name};
use sash_words::t;

/// Pulls the model that an answer lacks. Empty where its engine pulls none.
#[component]
pub fn PullMissing() -> impl IntoView {
    let pulls = Pulls::expect();
    let kernel = use_kernel();
    let id = MessageState::expect().id;
    let model = kernel.chats().with_message(id, Message::model_id).flatten();
    let puller = untrack(|| kernel.engine().first_that_can(EngineAction::Pull));
    let pull = model.filter(|model| puller.as_ref() == Some(&model.engine));
    pull.map(|model| {
        let label = t!(models.pull_model, name = short_name(&model.name));
        let start = move |_| {
            if let Err(fault) = pulls.start_and_choose_of(&model) {
                kernel.notices().show(fault.to_string());
            } else {
                pulls.asked.set(true);
            }
        };
        view! {
            <button type="button" class="link" on:click=start>
                {label}
            </button>
        }
    })
}

/// What helps where the memory is not enough for the model that was asked. Empty after any other fault.
#[component]
pub fn MessageMemory() -> impl IntoView {
    let kernel = use_kernel();
    let MessageState { id, state, .. } = MessageState::expect();
    let code = state.with_untracked(|state| match state {
        AnswerState::Ended(Outcome::Failed(failure)) => failure.code.clone(),
        _ => None,
    });
    if code.as_deref() != Some(Fault::OUT_OF_MEMORY) {
        return None;
    }
    let prompt = FocusRefs::expect().prompt;
    let model = kernel
        .chats()
        .with_message(id, Message::model_id)
        .flatten()?;
    let again = model.clone();
    let ask = move |()| {
        _ = kernel.answers().answer_again_with(id, &again);
        focus_after_asking(prompt);
    };

    let can_try = Signal::derive(move || kernel.answers().can_send());
    // Its own context length is sent whatever the model has in all chats.
    let open = kernel.chats().open;
    let less_helps = open.with_untracked(|chat| {
        let parameters = chat.head.effective_parameters();
        !parameters.contains_key(NUM_CTX)
    });

    Some(view! {
        <MemoryRemedies
            model=model.key().into_owned()
            less_helps
            can_try
            on_less_context=ask
        />
    })
}
