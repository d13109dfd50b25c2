//! The section about the journal.

use super::LibraryContext;
use crate::browser::journal::BrowserJournal;
use leptos::prelude::*;

/// Says what a crash of the browser loses, with the journal and without.
#[component]
pub fn JournalSection() -> impl IntoView {
    let library = expect_context::<LibraryContext>();
    let works = Memo::new(move |_| {
        library.changed.track();
        BrowserJournal.works()
    });
    let words = move || match works.get() {
        true => {
            "At most the last second of an answer can be lost: what the browser has not put on the disk yet is in a journal beside it."
        }
        false => "The last minute may be lost: this browser does not let Sash keep a journal.",
    };

    view! {
        <section>
            <h3>"If the browser crashes"</h3>
            <p class="library-note">{words}</p>
        </section>
    }
}
