//! The last message of the next request.

use super::card::Card;
use super::folded_text::FoldedText;
use super::turn_frame::TurnFrame;
use crate::ui::attachments::TurnImages;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::RecalledBlock;
use sash_chat::window::{Size, join};
use sash_state::Stores;
use std::sync::Arc;

/// The last message: an unanswered question, if there is one, and the draft.
#[component]
pub fn DraftTurn(
    /// The message without the draft.
    card: Arc<Card>,
) -> impl IntoView {
    let stores = use_stores();
    let mut card = Arc::unwrap_or_clone(card);
    card.note(match card.notes.is_empty() {
        true => "your prompt",
        false => "joined with your prompt",
    });
    let Card {
        role,
        text: before,
        images: images_before,
        notes,
        size,
        ..
    } = card;
    let tokens = Signal::derive(move || {
        let size = (size + Size::of_part(&prompt(stores))).as_one_message();
        stores.steering.estimate.get().part(size)
    });
    let text = Signal::derive(move || join(before.clone(), &prompt(stores)));
    let images = Signal::derive(move || {
        let mut images = images_before.clone();
        images.extend(stores.drafts.images.get());
        images
    });
    let is_blank = move || stores.drafts.draft.with(|draft| draft.trim().is_empty());

    view! {
        <TurnFrame role notes tokens draft=true>
            <FoldedText text />
            <TurnImages images />
            <Show when=is_blank>
                <p class="turn-empty">"Nothing is written yet."</p>
            </Show>
        </TurnFrame>
    }
}

/// The draft as it is sent: with what is recalled for it.
fn prompt(stores: Stores) -> String {
    let block = stores.steering.recalled_block;
    stores
        .drafts
        .draft
        .with(|draft| block.with(|block| RecalledBlock::before(block.as_ref(), draft).into_owned()))
}
