//! A message that was recalled for the next prompt only.

use super::message_quote::MessageQuote;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::Id;

/// The message, and a button that removes the recall.
#[component]
pub fn RecalledMessage(
    /// The message.
    id: Id,
) -> impl IntoView {
    let stores = use_stores();
    let offer = stores.mentions.offer.get_untracked();
    let found = offer
        .filter(|offer| offer.id == id)
        .map(|offer| offer.words)
        .unwrap_or_default();
    let leave_out = move |_| {
        stores.steering.recall(id, false);
        stores.mentions.dismiss_offer(id);
    };

    view! {
        <div class="mention" role="group" aria-label="Included">
            <span>
                <MessageQuote label="Included for this prompt:" id found />
            </span>
            <button type="button" on:click=leave_out>
                "Leave it out"
            </button>
        </div>
    }
}
