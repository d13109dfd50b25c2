//! "The model can't see this": the quiet line above the composer, and what was brought back by it.

use super::mention_offer::MentionOffer;
use super::recalled_message::RecalledMessage;
use crate::ui::app::use_session;
use leptos::prelude::*;
use sash_chat::Id;

/// What goes along already, and what is offered.
#[component]
pub fn MentionLines() -> impl IntoView {
    let session = use_session();
    Effect::new(move || {
        session.draft.track();
        session.path.track();
        session.window.track();
        session.look_for_mention();
    });
    let offered = Memo::new(move |_| session.offered());
    let recalled = move || {
        let mut recalled = session.recalled.get();
        // Not while it is muted, or on another branch.
        let goes = |id: &Id| session.window.with(|window| window.contains(*id));
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
