//! The tab about the browser's storage.

use super::LibraryContext;
use super::confirm_button::ConfirmButton;
use super::packing_section::PackingSection;
use super::sizes::Sizes;
use super::storage_gauge::StorageGauge;
use crate::browser::journal::BrowserJournal;
use crate::browser::{erase, file, page, storage};
use crate::ui::parts::plural;
use leptos::prelude::*;
use leptos::task::spawn_local;
use sash_log::QUARANTINE_PREFIX;
use sash_state::LibraryTab;
use sash_transfer::raw_line;

/// The browser's storage: how much is used and for what, packing, unreadable records, the journal, and
/// deleting everything.
#[component]
pub fn StorageTab() -> impl IntoView {
    let library = expect_context::<LibraryContext>();
    let sizes = Memo::new(move |_| {
        library.changed.track();
        Sizes::count(|chat, message| {
            let is_deleted = library.with_log(|log| match message {
                Some(message) => log.is_removed(chat, message),
                None => log.is_deleted(chat),
            });
            is_deleted.unwrap_or(false)
        })
    });

    view! {
        <div class="storage">
            <StorageGauge sizes />
            <PackingSection />
            <SetAsideSection sizes />
            <JournalSection />
            <EraseSection />
        </div>
    }
}

/// The quarantined records: buttons that save a copy and delete them. Empty if there are none.
#[component]
fn SetAsideSection(
    /// The use of the storage.
    sizes: Memo<Sizes>,
) -> impl IntoView {
    let library = expect_context::<LibraryContext>();
    let records = move || plural(sizes.with(|sizes| sizes.set_aside), "record");
    let question = Signal::derive(move || format!("{} gone for good?", records()));
    let download = |_| file::download("sash-set-aside.txt", "text/plain", raw_lines().into());
    let delete = move |()| {
        storage::remove_records(QUARANTINE_PREFIX);
        library.note_change();
        page::focus_soon(library.tab_button(LibraryTab::Storage));
    };

    view! {
        <div>
            <Show when=move || { sizes.with(|sizes| sizes.set_aside) > 0 }>
                <section>
                    <h3>"Records that could not be read"</h3>
                    <p class="library-note">
                        {move || {
                            format!(
                                "{}, set aside unchanged. A copy may help with mending.",
                                records(),
                            )
                        }}
                    </p>
                    <div class="storage-row">
                        <button type="button" on:click=download>
                            "Download"
                        </button>
                        <ConfirmButton
                            label="Delete…"
                            question
                            keep="Keep them"
                            deed="Delete"
                            on_confirm=delete
                        />
                    </div>
                </section>
            </Show>
        </div>
    }
}

/// Each quarantined record as a line of JSON: its key, and its exact value, unpaired surrogates included.
fn raw_lines() -> String {
    let records = storage::records(QUARANTINE_PREFIX);
    let lines = records.iter().map(|(key, value)| raw_line(key, value));
    lines.collect()
}

/// Says what a crash of the browser loses, with the journal and without.
#[component]
fn JournalSection() -> impl IntoView {
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

/// Deletes everything that the page stores, and reloads it.
#[component]
fn EraseSection() -> impl IntoView {
    let question = "All chats and settings gone for good? This cannot be undone.".to_owned();
    let on_confirm = |()| {
        spawn_local(async {
            erase::delete_everything().await;
            page::reload();
        });
    };

    view! {
        <section>
            <h3>"Delete everything"</h3>
            <p class="library-note">
                "All chats, the trash and the settings, here and in the journal. Export first what you want to keep."
            </p>
            <ConfirmButton
                label="Delete everything…"
                question=Signal::stored(question)
                keep="Keep everything"
                deed="Delete everything"
                on_confirm
            />
        </section>
    }
}
