//! A draft that is sent when its images are scaled and the models are known.

use leptos::prelude::*;
use sash_chat::Id;
use sash_state::{Readiness, Stores};
use std::time::Duration;

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
