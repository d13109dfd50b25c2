//! The trash: deleted chats and messages, kept until the person empties it.

use super::LibraryContext;
use super::confirm_button::ConfirmButton;
use super::trash::counts;
use super::trash_row::TrashRow;
use crate::browser::page;
use leptos::prelude::*;
use sash_state::{chats_and_messages, purge_question};

/// The trash.
#[component]
pub fn TrashTab() -> impl IntoView {
    let library = expect_context::<LibraryContext>();
    let trash = library.stores.library;
    let read = LocalResource::new(move || {
        library.changed.track();
        trash.deleted()
    });
    let all = Memo::new(move |_| read.get().unwrap_or_default());
    let purge = Action::new_local(move |(): &()| {
        let all = all.get_untracked();
        async move {
            trash.purge(all).await;
            library.announce("The trash is empty");
            library.note_change();
        }
    });
    let words = move || {
        if purge.pending().get() {
            return "Emptying the trash…".to_owned();
        }
        all.with(|all| match all.len() {
            0 if read.with(Option::is_none) => "Reading the trash…".to_owned(),
            0 => "The trash is empty. What you delete is kept here until you empty it.".to_owned(),
            _ => {
                let (chats, messages) = counts(all);
                let what = chats_and_messages(chats, messages);
                format!("{what}, kept until you empty the trash.")
            }
        })
    };
    let question = Signal::derive(move || {
        let (chats, messages) = all.with(|all| counts(all));
        purge_question(chats, messages)
    });
    let empty = move |()| {
        purge.dispatch(());
        page::focus("library-first");
    };
    let can_be_emptied = move || !purge.pending().get() && !all.with(Vec::is_empty);

    view! {
        <div>
            <p class="library-note" id="library-first" tabindex="-1">
                {words}
            </p>
            <ul class="trash-list">
                <For each=move || all.get() key=Clone::clone let:deleted>
                    <TrashRow deleted />
                </For>
            </ul>
            <Show when=can_be_emptied>
                <ConfirmButton
                    label="Empty trash…"
                    question
                    keep="Keep them"
                    deed="Remove for good"
                    on_confirm=empty
                />
            </Show>
        </div>
    }
}
