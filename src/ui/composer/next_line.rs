//! A draft that waits: for the end of the running answer, or for the list of models.

use crate::browser::page::{self, FocusRefs};
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::{Id, Outcome};
use sash_state::{Readiness, Stores};
use sash_words::t;
use std::time::Duration;

/// Says what the draft waits for.
#[component]
pub fn NextLine(
    /// The chat whose draft is sent next.
    next: RwSignal<Option<Id>>,
    /// The chat whose draft is sent once its images are scaled and the models are known.
    waiting: RwSignal<Option<Id>>,
) -> impl IntoView {
    let stores = use_stores();
    let prompt = FocusRefs::expect().prompt;
    let words = Memo::new(move |_| {
        if next.get().is_some() {
            return Some(t!(composer.this_goes_next_as_soon_as));
        }
        let awaits_models =
            waiting.get().is_some() && stores.answers.readiness() == Readiness::Pending;
        awaits_models.then_some(t!(composer.this_goes_as_soon_as_the))
    });
    let keep = move |_| {
        next.set(None);
        waiting.set(None);
        page::focus(prompt);
    };

    view! {
        <div role="status">
            <ShowLet some=words let:words>
                <div class="overflow next-line">
                    <p>{words}</p>
                    <div class="overflow-offers">
                        <button type="button" on:click=keep>
                            {t!(composer.dont_send_it_yet)}
                        </button>
                    </div>
                </div>
            </ShowLet>
        </div>
    }
}

/// Sends the draft of the chat in `next` when its answer is complete. After a failed or stopped answer the
/// person may want to say something else, so the draft stays.
pub fn use_send_when_answered(
    stores: Stores,
    answering: Memo<bool>,
    next: RwSignal<Option<Id>>,
    act: Callback<()>,
) {
    Effect::new(move || {
        let chat = stores.chats.open_id();
        let empty = stores.drafts.draft.with(|draft| draft.trim().is_empty());
        let running = answering.get();
        let Some(waits) = next.get() else {
            return;
        };
        if running && !empty && waits == chat {
            return;
        }
        next.set(None);
        if !running && !empty && waits == chat && is_answered(stores) {
            // After the answer is written to the log.
            set_timeout(move || act.run(()), Duration::ZERO);
        }
    });
}

/// Whether the branch ends with a complete answer. One whose calls wait for the person is not complete.
fn is_answered(stores: Stores) -> bool {
    stores.chats.open.with_untracked(|chat| {
        let last = chat.leaf().and_then(|id| chat.get(id));
        last.is_some_and(|m| {
            matches!(m.outcome, Outcome::Complete | Outcome::CutOff) && m.tool_calls.is_none()
        })
    })
}

/// Sends the draft of the chat in `waiting` once its images are scaled and the models are known: Enter was pressed
/// before. Another chat, or an emptied draft, ends the wait.
pub fn use_send_when_ready(stores: Stores, waiting: RwSignal<Option<Id>>, act: Callback<()>) {
    Effect::new(move || {
        let Some(chat) = waiting.get() else {
            return;
        };
        let empty = stores.drafts.draft.with(|draft| draft.trim().is_empty());
        let scaled = stores.attachments.pending.get() == 0;
        let is_pending = stores.answers.readiness() == Readiness::Pending;
        if empty || stores.chats.open_id() != chat {
            waiting.set(None);
        } else if scaled && !is_pending {
            waiting.set(None);
            // After the last image is in the draft.
            set_timeout(move || act.run(()), Duration::ZERO);
        }
    });
}
