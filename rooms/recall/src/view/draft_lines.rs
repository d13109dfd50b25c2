//! What would be recalled for the draft, above the field, which it never moves.

use super::recalled_note::PieceQuote;
use crate::{Mentions, Recalls};
use leptos::prelude::*;
use sash_chat::RecalledPiece;
use sash_chat::window::Size;
use sash_ui_kit::{IconButton, IconName};
use sash_view::stores::use_kernel;
use sash_words::{count, t};

/// The older messages that go with the draft, each with a button that leaves it out. Empty without any.
#[component]
pub fn RecallLines() -> impl IntoView {
    let kernel = use_kernel();
    let block = kernel.steering().quotes;
    let pieces =
        move || block.with(|block| block.as_ref().map(|b| b.pieces.clone()).unwrap_or_default());
    let words = move || {
        let tokens = block.with(|block| block.as_ref().map(|block| Size::of(&block.text)));
        let tokens = kernel
            .steering()
            .estimate
            .get()
            .part(tokens.unwrap_or_default());
        t!(
            recall.recalled_for_this_prompt_about,
            what = count::older_messages(pieces().len()),
            tokens = count::tokens(tokens as usize)
        )
    };

    view! {
        <Show when=move || block.with(Option::is_some)>
            <section class="recalls" aria-label=t!(recall.recalled_for_this_prompt)>
                <p>{words}</p>
                <ul>
                    <For
                        each=pieces
                        key=|piece| (piece.chat, piece.message, piece.excerpt)
                        let:piece
                    >
                        <RecallLine piece />
                    </For>
                </ul>
            </section>
        </Show>
    }
}

#[component]
fn RecallLine(
    /// The message.
    piece: RecalledPiece,
) -> impl IntoView {
    let (recalls, mentions) = (Recalls::expect(), Mentions::expect());
    let id = piece.message;
    let found = recalls
        .words
        .with_untracked(|words| words.get(&id).cloned());

    view! {
        <li class="recall">
            <span>
                <PieceQuote piece found=found.unwrap_or_default() />
            </span>
            <IconButton
                label=t!(recall.not_this)
                icon=IconName::Close
                on:click=move |_| {
                    recalls.exclude(id);
                    mentions.dismiss_offer(id);
                }
            />
        </li>
    }
}
