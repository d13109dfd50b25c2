//! The trash: deleted chats and messages, kept until the person empties it.

use super::LibraryContext;
use super::confirm_button::ConfirmButton;
use super::trash::counted;
use super::trash_row::TrashRow;
use crate::browser::page;
use leptos::prelude::*;

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
            _ => format!("{}, kept until you empty the trash.", counted(all)),
        })
    };
    let question = Signal::derive(move || {
        let what = all.with(|all| counted(all));
        format!("{what} gone for good? This cannot be undone.")
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
