//! A message of the next request.

use super::card::Card;
use super::folded_text::FoldedText;
use super::turn_frame::TurnFrame;
use crate::ui::attachments::TurnImages;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use std::sync::Arc;

/// A message of the next request: its text, its images and its tool calls.
#[component]
pub fn Turn(
    /// The message.
    card: Arc<Card>,
) -> impl IntoView {
    let stores = use_stores();
    let size = card.size;
    let tokens = Signal::derive(move || stores.steering.estimate.get().part(size));
    let text = card.text.clone();
    let calls = card.calls.clone();
    let images = Signal::stored(card.images.clone());

    view! {
        <TurnFrame role=card.role title=card.title notes=card.notes.clone() tokens>
            <FoldedText text />
            <TurnImages images />
            {calls.map(|calls| view! { <FoldedText text=calls /> })}
        </TurnFrame>
    }
}
