//! A row of the trash.

use super::LibraryContext;
use super::trash::Deleted;
use crate::browser::page;
use leptos::prelude::*;

/// A chat or a message in the trash, and the button that restores it.
#[component]
pub fn TrashRow(
    /// The deleted chat or message.
    deleted: Deleted,
) -> impl IntoView {
    let library = expect_context::<LibraryContext>();
    let (title, about) = (deleted.title.clone(), deleted.about.clone());
    let label = format!("Restore {title}");
    let restore = move |_| {
        library.restore(&deleted);
        page::focus("library-first");
    };

    view! {
        <li>
            <span class="trash-what">
                <span class="result-title" dir="auto">
                    {title}
                </span>
                <span class="library-note">{about}</span>
            </span>
            <button type="button" aria-label=label on:click=restore>
                "Restore"
            </button>
        </li>
    }
}
