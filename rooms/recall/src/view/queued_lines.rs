//! What goes with a prompt of the queue, at its row.

use super::recalled_note::PieceQuote;
use crate::Recalls;
use leptos::prelude::*;
use sash_chat::{FoundMessage, Id, PromptDraft};
use sash_ui_kit::{IconButton, IconName};
use sash_view::composer::ComposerState;
use sash_view::stores::use_kernel;
use sash_words::{count, t};

/// The older messages that go with a prompt of the queue, each with a button that leaves it out, and those that were found
/// since, each with one that includes it. Empty without any.
#[component]
pub fn QueuedRecalls(
    /// The prompt.
    prompt: Signal<PromptDraft>,
    /// Has a message go with it.
    include: Callback<FoundMessage>,
    /// Leaves a message out of it.
    leave_out: Callback<Id>,
) -> impl IntoView {
    let answering = ComposerState::expect().answering;
    let kernel = use_kernel();
    let recalls = Recalls::expect();
    let going = Memo::new(move |_| {
        prompt.with(|prompt| prompt.choice.known().cloned().collect::<Vec<_>>())
    });
    // Not with each letter of the draft: what fits is looked for in the whole branch.
    let since = Memo::new(move |_| {
        answering.track();
        kernel.chats().path.track();
        kernel.steering().recall_setting.track();
        going.track();
        untrack(|| prompt.with(|prompt| recalls.found_since(prompt)))
    });
    let key = |found: &FoundMessage| (found.piece.chat, found.piece.message);

    view! {
        <Show when=move || !going.with(Vec::is_empty)>
            <div class="recalls">
                <p>{move || t!(recall.will_go_with_it, count = count::older_messages(going.with(Vec::len)))}</p>
                <ul>
                    <For each=move || going.get() key let:found>
                        <li class="recall">
                            <span>
                                <PieceQuote piece=found.piece.clone() found=found.words />
                            </span>
                            <IconButton
                                label=t!(recall.not_this)
                                icon=IconName::Close
                                on:click=move |_| leave_out.run(found.piece.message)
                            />
                        </li>
                    </For>
                </ul>
            </div>
        </Show>
        <Show when=move || !since.with(Vec::is_empty)>
            <div class="recalls">
                <p>{t!(recall.found_since)}</p>
                <ul>
                    <For each=move || since.get() key let:found>
                        <li class="recall">
                            <span>
                                <PieceQuote piece=found.piece.clone() found=found.words.clone() />
                            </span>
                            <button
                                type="button"
                                on:click=move |_| include.run(found.clone())
                            >
                                {t!(recall.include_it)}
                            </button>
                        </li>
                    </For>
                </ul>
            </div>
        </Show>
    }
}
