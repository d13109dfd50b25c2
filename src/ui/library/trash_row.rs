//! A row of the trash.

use super::LibraryContext;
use super::trash::{about_words, title_words};
use crate::browser::page;
use leptos::prelude::*;
use sash_state::library::Deleted;

/// A chat or a message in the trash, and the button that restores it.
#[component]
pub fn TrashRow(
    /// The deleted chat or message.
    deleted: Deleted,
) -> impl IntoView {
    let library = expect_context::<LibraryContext>();
    let title = title_words(&deleted);
    let about = about_words(&deleted);
    let label = format!("Restore {title}");
    let restored = format!("Restored {title}");
    let restore = move |_| {
        library.stores.library.restore(&deleted);
        library.announce(&restored);
        library.note_change();
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
