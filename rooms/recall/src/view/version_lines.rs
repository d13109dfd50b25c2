//! What goes with an edited version of a question, below its field.

use super::recalled_note::PieceQuote;
use crate::Recalls;
use leptos::prelude::*;
use sash_chat::RecalledPiece;
use sash_chat::window::Size;
use sash_ui_kit::{IconButton, IconName};
use sash_view::stores::use_kernel;
use sash_view::transcript::EditedQuestion;
use sash_words::{count, t};
use std::time::Duration;

/// How long the text must be left alone before it is looked at.
const TYPING_PAUSE: Duration = Duration::from_millis(150);

/// The older messages that go with the version, each with a button that leaves it out, and those that went with the
/// question and do not go with the version, each with one that includes it. Empty without any.
#[component]
pub fn VersionRecalls() -> impl IntoView {
    let EditedQuestion {
        id: question,
        text,
        choice,
    } = expect_context();
    let kernel = use_kernel();
    let recalls = Recalls::expect();
    let former = recalls.of_question(question);
    let former = former.map(|block| block.pieces).unwrap_or_default();
    let settled = RwSignal::new(text.get_untracked());
    // The field may be closed before the branch is indexed.
    let settle = move || {
        if let Some(text) = text.try_get_untracked() {
            _ = settled.try_set(text);
        }
    };
    let mut in_pause = debounce(TYPING_PAUSE, move |()| recalls.when_indexed(settle));
    Effect::new(move || {
        text.track();
        in_pause(());
    });
    let block = Memo::new(move |_| {
        settled.with(|text| {
            choice.with(|choice| untrack(|| recalls.for_version(question, text, choice)))
        })
    });
    let going =
        move || block.with(|block| block.as_ref().map(|b| b.pieces.clone()).unwrap_or_default());
    let goes = move |id| block.with(|block| block.as_ref().is_some_and(|block| block.quotes(id)));
    let not_going = Memo::new(move |_| {
        let mut pieces = former.clone();
        pieces.retain(|piece| !goes(piece.message));
        pieces
    });
    let words = move || {
        let size = block.with(|block| block.as_ref().map(|block| Size::of(&block.text)));
        let tokens = kernel
            .steering()
            .estimate
            .get()
            .part(size.unwrap_or_default());
        let count = count::older_messages(going().len());
        t!(
            recall.will_go_with_this_version_about,
            count = &count,
            tokens = count::tokens(tokens as usize)
        )
    };
    let include = move |piece: RecalledPiece| {
        let id = piece.message;
        choice.update(|choice| choice.include(piece.into()));
        if !untrack(|| goes(id)) {
            choice.update(|choice| choice.exclude(id));
            let why = t!(recall.it_was_not_included_it_is);
            kernel.notices().show(why);
        }
    };

    view! {
        <Show when=move || block.with(Option::is_some)>
            <section class="recalls" aria-label=t!(recall.recalled_for_this_version)>
                <p>{words}</p>
                <ul>
                    <For
                        each=going
                        key=|piece| (piece.chat, piece.message, piece.excerpt)
                        let:piece
                    >
                        <li class="recall">
                            <span>
                                <PieceQuote piece=piece.clone() found=Vec::new() />
                            </span>
                            <IconButton
                                label=t!(recall.not_this)
                                icon=IconName::Close
                                on:click=move |_| {
                                    choice.update(|choice| choice.exclude(piece.message));
                                }
                            />
                        </li>
                    </For>
                </ul>
            </section>
        </Show>
        <Show when=move || !not_going.with(Vec::is_empty)>
            <section class="recalls" aria-label=t!(recall.recalled_for_the_question_before)>
                <p>{t!(recall.the_question_went_with)}</p>
                <ul>
                    <For
                        each=move || not_going.get()
                        key=|piece| (piece.chat, piece.message)
                        let:piece
                    >
                        <li class="recall">
                            <span>
                                <PieceQuote piece=piece.clone() found=Vec::new() />
                            </span>
                            <button
                                type="button"
                                class="link"
                                on:click=move |_| include(piece.clone())
                            >
                                {t!(recall.include_it)}
                            </button>
                        </li>
                    </For>
                </ul>
            </section>
        </Show>
    }
}
