//! "The model can't see this": the line above the composer.

use super::mention_offer::MentionOffer;
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// The offer of a message that the draft refers to. Empty without one.
#[component]
pub fn MentionLines() -> impl IntoView {
    let stores = use_stores();
    let offered = Memo::new(move |_| stores.mentions.offered());

    view! {
        <div class="mentions">
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
