//! The note of what was recalled for a question of the transcript.

use super::piece_list::{PieceQuote, about_tokens};
use leptos::prelude::*;
use sash_markdown_view::FoldedText;
use sash_view::stores::use_kernel;
use sash_view::transcript::MessageState;
use sash_words::{count, t};

/// The messages that go with a question again: folded, with the words that are sent, and a button that takes them
/// out of later requests or puts them back. Empty without any.
#[component]
pub fn RecalledNote() -> impl IntoView {
    let kernel = use_kernel();
    let id = MessageState::expect().id;
    let block = kernel
        .chats()
        .with_message(id, |message| message.recalled.clone());
    let block = block.flatten()?;
    let text = block.text.clone();
    let out = Memo::new(move |_| {
        kernel
            .chats()
            .open
            .with(|chat| chat.head.settings.unrecalled.contains(&id))
    });
    let count = count::older_messages(block.pieces.len());
    let words = move || match out.get() {
        true => t!(recall.taken_out_words, count = &count),
        false => t!(
            recall.recalled_words,
            count = &count,
            tokens = about_tokens(kernel, &text)
        ),
    };
    let pieces = block.pieces.into_iter().map(|piece| {
        view! {
            <li>
                <PieceQuote piece found=Vec::new() />
            </li>
        }
    });

    Some(view! {
        <div class="recalled" data-out=move || out.get()>
            <details>
                <summary>{words}</summary>
                <ul>{pieces.collect_view()}</ul>
                <FoldedText text=block.text />
            </details>
            <button
                type="button"
                class="link"
                on:click=move |_| kernel.steering().unrecall(id, !out.get_untracked())
            >
                {move || if out.get() { t!(recall.put_them_back) } else { t!(recall.take_them_out) }}
            </button>
        </div>
    })
}
