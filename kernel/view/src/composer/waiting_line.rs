//! A draft that waits for the list of models or for its images.

use super::offer_line::OfferLine;
use super::state::ComposerState;
use crate::browser::focus_refs::FocusRefs;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::Id;
use sash_stores::{Kernel, Readiness};
use sash_words::t;
use std::time::Duration;

/// Says what the draft waits for.
#[component]
pub fn WaitingLine() -> impl IntoView {
    let waiting = ComposerState::expect().waiting;
    let kernel = use_kernel();
    let prompt = FocusRefs::expect().prompt;
    let awaits_models = Memo::new(move |_| {
        waiting.get().is_some() && kernel.answers().readiness() == Readiness::Pending
    });
    let keep = move |_| {
        waiting.set(None);
        page::focus(prompt);
    };

    view! {
        <OfferLine shown=awaits_models words=t!(composer.waits_for_models)>
            <button type="button" on:click=keep>
                {t!(composer.hold_back)}
            </button>
        </OfferLine>
    }
}

/// Sends the draft of the chat in `waiting` once its images are scaled and the models are known: Enter was pressed
/// before. Another chat, or an emptied draft, ends the wait.
pub fn use_send_when_ready(kernel: Kernel, waiting: RwSignal<Option<Id>>, enter: Callback<()>) {
    Effect::new(move || {
        let Some(chat) = waiting.get() else {
            return;
        };
        let empty = kernel.drafts().draft.with(|draft| draft.trim().is_empty());
        let scaled = kernel.attachments().pending.get() == 0;
        let is_pending = kernel.answers().readiness() == Readiness::Pending;
        if empty || kernel.chats().open_id() != chat {
            waiting.set(None);
        } else if scaled && !is_pending {
            waiting.set(None);
            // After the last image is in the draft.
            set_timeout(move || enter.run(()), Duration::ZERO);
        }
    });
}
