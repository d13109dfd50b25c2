//! What was recalled for a question of the transcript.

use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_chat::window::Size;
use sash_chat::{RecalledPiece, excerpt};
use sash_markdown_view::FoldedText;
use sash_view::parts::speaker;
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
    let size = Size::of(&block.text);
    let out = Memo::new(move |_| {
        kernel
            .chats()
            .open
            .with(|chat| chat.head.settings.unrecalled.contains(&id))
    });
    let count = count::older_messages(block.pieces.len());
    let words = move || {
        let tokens = kernel.steering().estimate.get().part(size);
        match out.get() {
            true => t!(recall.taken_out_not_sent_again, count = &count),
            false => t!(
                recall.with_about,
                count = &count,
                tokens = count::tokens(tokens as usize)
            ),
        }
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

/// Who wrote a recalled message, when, and how it begins; a click shows it where it stands.
#[component]
pub fn PieceQuote(
    /// The message.
    piece: RecalledPiece,
    /// Words that the excerpt should contain.
    found: Vec<String>,
) -> impl IntoView {
    let kernel = use_kernel();
    let RecalledPiece {
        message: id,
        chat,
        excerpt: is_part,
    } = piece;
    let in_chat = chat.unwrap_or_else(|| kernel.chats().open_id_untracked());
    let Some(message) = kernel.chats().read_message(in_chat, id) else {
        return view! { <span class="recall-gone">{t!(recall.a_message_that_was_deleted)}</span> }
            .into_any();
    };
    let title = chat.map(|chat| t!(recall.in_word, chat = kernel.chats().title_now(chat)));
    let label = format!(
        "{}, {}{}{}: ",
        speaker(&message),
        clock::date(message.created),
        title.unwrap_or_default(),
        if is_part { t!(recall.in_part) } else { "" },
    );
    let show = move |_| kernel.chats().show_message(in_chat, Some(id));

    view! {
        <span class="recall-who">{label}</span>
        <button
            type="button"
            class="link"
            title=t!(recall.show_it_in_the_transcript)
            dir="auto"
            on:click=show
        >
            {format!("“{}”", excerpt(&message, &found))}
        </button>
    }
    .into_any()
}
