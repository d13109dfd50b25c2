//! "The model can't see this": the line above the composer, and the messages recalled by it.

use super::mention_offer::MentionOffer;
use super::recalled_message::RecalledMessage;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::Id;

/// The recalled messages, and the offer.
#[component]
pub fn MentionLines() -> impl IntoView {
    let stores = use_stores();
    let offered = Memo::new(move |_| stores.mentions.offered());
    let recalled = move || {
        let mut recalled = stores.steering.recalled.get();
        // Hide recalls that are muted or on another branch.
        let goes = |id: &Id| stores.steering.window.with(|window| window.contains(*id));
        recalled.retain(goes);
        recalled
    };

    view! {
        <div class="mentions">
            <For each=recalled key=|id| *id let:id>
                <RecalledMessage id />
            </For>
            <For
                each=move || offered.get()
                key=|offer| (offer.id, offer.words.clone())
                let:offer
            >
                <MentionOffer offer />
            </For>
        </div>
    }
}
