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
    let all = Memo::new(move |_| {
        library.changed.track();
        library.deleted()
    });
    let words = move || {
        all.with(|all| match all.len() {
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
        library.purge(&all.get_untracked());
        page::focus("library-first");
    };

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
            <Show when=move || !all.with(Vec::is_empty)>
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
