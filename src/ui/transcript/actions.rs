//! What can be done with a message. There on hover, on focus, and always on the last one.

use super::versions::Versions;
use crate::browser::clipboard;
use crate::chat::Id;
use crate::ui::app::session;
use crate::ui::parts::{Icon, icon};
use crate::ui::session::Live;
use leptos::prelude::*;

/// The row of buttons.
#[component]
pub fn Actions(
    id: Id,
    live: Live,
    is_answer: bool,
    editing: RwSignal<bool>,
    receipt_shown: RwSignal<bool>,
) -> impl IntoView {
    let session = session();
    let running = live.clone();
    let text = live.text.clone();
    let receipt = live.receipt.clone();
    let copy = move |_| {
        let text = text.get_untracked();
        leptos::task::spawn_local(async move {
            let copied = clipboard::copy(text).await;
            session.announce(if copied { "Copied" } else { "Copying failed" }.to_owned());
        });
    };
    let toggle_receipt = move |_| {
        receipt_shown.update(|shown| *shown = !*shown);
        let sent = receipt.with_untracked(|receipt| receipt.as_ref().map(|r| r.sent.clone()));
        session.read_by.set(
            receipt_shown
                .get_untracked()
                .then(|| (id, sent.unwrap_or_default())),
        );
    };
    // One receipt at a time marks its messages.
    Effect::new(move || {
        if session
            .read_by
            .with(|read| read.as_ref().is_none_or(|(reader, _)| *reader != id))
        {
            receipt_shown.set(false);
        }
    });
    let of_answer = move || {
        view! {
            <button
                class="icon-button"
                aria-label="Ask again"
                title="Ask again: another answer beside this one"
                disabled=move || !session.may_ask()
                on:click=move |_| session.answer_again(id)
            >
                {icon(Icon::Again)}
            </button>
            <button
                class="icon-button"
                aria-label="What it read"
                title="What it read"
                aria-expanded=move || receipt_shown.get().to_string()
                on:click=toggle_receipt.clone()
            >
                {icon(Icon::Receipt)}
            </button>
        }
        .into_any()
    };
    let of_question = move || {
        view! {
            <button
                class="icon-button"
                aria-label="Edit"
                title="Edit: another version beside this one"
                on:click=move |_| editing.set(true)
            >
                {icon(Icon::Pencil)}
            </button>
        }
        .into_any()
    };
    view! {
        <Show when=move || !running.is_running() && !editing.get()>
            <div class="actions">
                <Versions id/>
                <button class="icon-button" aria-label="Copy" title="Copy" on:click=copy.clone()>
                    {icon(Icon::Copy)}
                </button>
                {if is_answer { of_answer() } else { of_question() }}
            </div>
        </Show>
    }
}
