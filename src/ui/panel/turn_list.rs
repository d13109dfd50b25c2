//! The messages of the next request in the order they are sent.

use super::card::cards;
use super::draft_turn::DraftTurn;
use super::turn::Turn;
use crate::ui::parts::plural;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use std::sync::Arc;

/// How many cards before the draft's are shown initially: the window may contain thousands of messages.
const FIRST_CARDS: usize = 100;

/// How many more cards each press of the button shows.
const MORE_CARDS: usize = 500;

/// The list. Typing changes only the last message; the others are rebuilt when the window changes.
#[component]
pub fn TurnList() -> impl IntoView {
    let stores = use_stores();
    let cards = Memo::new(move |_| cards(stores));
    let last = Memo::new(move |_| cards.with(|cards| cards.last().cloned()));
    let most = RwSignal::new(FIRST_CARDS);
    let hidden = Memo::new(move |_| cards.with(Vec::len).saturating_sub(most.get() + 1));
    let before = move || {
        let hidden = hidden.get();
        cards.with(|cards| {
            let before = cards.split_last();
            let shown = before.and_then(|(_, before)| before.get(hidden..));
            shown.unwrap_or_default().to_vec()
        })
    };

    view! {
        <div class="turn-place">
            <Show when=move || { hidden.get() > 0 }>
                <p class="turn-empty">
                    {move || format!("{} before these. ", plural(hidden.get(), "message"))}
                    <button
                        type="button"
                        class="link"
                        on:click=move |_| most.update(|most| *most += MORE_CARDS)
                    >
                        {move || format!("Show {} more", hidden.get().min(MORE_CARDS))}
                    </button>
                </p>
            </Show>
            <ol class="turns" aria-label="Messages in the order they are sent">
                <For each=before key=Arc::clone let:card>
                    <Turn card />
                </For>
                <ShowLet some=last let:card>
                    <DraftTurn card />
                </ShowLet>
            </ol>
        </div>
    }
}
