//! Older messages as they are quoted: who wrote one, when, and how it begins.

use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_chat::window::Size;
use sash_chat::{FoundMessage, RecalledPiece, excerpt};
use sash_stores::Kernel;
use sash_ui_kit::{IconButton, IconName};
use sash_view::parts::speaker;
use sash_view::stores::use_kernel;
use sash_words::{count, t};

/// Older messages below a line of words, each with a button. Empty without any.
#[component]
pub fn PieceList(
    /// The name of the list as a part of the page, where it is one.
    #[prop(optional)]
    label: Option<&'static str>,
    /// The line above.
    #[prop(into)]
    words: Signal<String>,
    /// The messages, with the words that found them.
    #[prop(into)]
    found: Signal<Vec<FoundMessage>>,
    /// The button of a message.
    button: Callback<FoundMessage, AnyView>,
) -> impl IntoView {
    view! {
        <Show when=move || !found.with(Vec::is_empty)>
            <section class="recalls" aria-label=label>
                <p>{move || words.get()}</p>
                <ul>
                    <For
                        each=move || found.get()
                        key=|found| (found.piece.chat, found.piece.message, found.piece.excerpt)
                        let:found
                    >
                        <li class="recall">
                            <span>
                                <PieceQuote piece=found.piece.clone() found=found.words.clone() />
                            </span>
                            {button.run(found)}
                        </li>
                    </For>
                </ul>
            </section>
        </Show>
    }
}

/// The button that leaves a message out.
pub fn leave_out_button(
    leave_out: impl Fn(FoundMessage) + Copy + Send + Sync + 'static,
) -> Callback<FoundMessage, AnyView> {
    Callback::new(move |found: FoundMessage| {
        let leave_out = move |_| leave_out(found.clone());
        view! { <IconButton label=t!(recall.leave_out_named) icon=IconName::Close on:click=leave_out /> }
            .into_any()
    })
}

/// The button that includes a message.
pub fn include_button(
    class: Option<&'static str>,
    include: impl Fn(FoundMessage) + Copy + Send + Sync + 'static,
) -> Callback<FoundMessage, AnyView> {
    Callback::new(move |found: FoundMessage| {
        let include = move |_| include(found.clone());
        view! {
            <button type="button" class=class on:click=include>
                {t!(recall.include_it)}
            </button>
        }
        .into_any()
    })
}

/// The tokens of a text that is quoted, about.
pub fn about_tokens(kernel: Kernel, text: &str) -> String {
    let tokens = kernel.steering().estimate.get().part(Size::of(text));
    count::tokens(tokens as usize)
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
        return view! { <span class="recall-gone">{t!(recall.deleted_message)}</span> }.into_any();
    };
    let title = chat.map(|chat| t!(recall.in_chat, chat = kernel.chats().title_now(chat)));
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
            title=t!(recall.show_in_chat)
            dir="auto"
            on:click=show
        >
            {format!("“{}”", excerpt(&message, &found))}
        </button>
    }
    .into_any()
}
