//! The tab about the browser's storage.

use super::PurgeFirst;
use super::confirm_button::ConfirmButton;
use super::keeping_section::KeepingSection;
use super::packing_section::PackingSection;
use super::sizes::Sizes;
use super::storage_gauge::gauge;
use leptos::prelude::*;
use leptos::task::spawn_local;
use sash_browser_kit::file;
use sash_browser_kit::page;
use sash_log::QUARANTINE_PREFIX;
use sash_view::browser::journal::BrowserJournal;
use sash_view::browser::{erase, storage};
use sash_view::library::LibraryContext;
use sash_view::stores::use_kernel;
use sash_words::{count, t};

/// The browser's storage: how much is used and for what, packing, unreadable records, the journal, and
/// deleting everything.
#[component]
pub fn StorageTab(
    /// Asks, beside the button that deletes everything, what else is to go.
    #[prop(into)]
    question: ViewFn,
    /// Deletes that first.
    purge_first: PurgeFirst<()>,
    /// Makes the line of an unreadable record of its key and its value as JSON, as a file of chats has it.
    raw_line: fn(&str, &str) -> String,
) -> impl IntoView {
    let library = expect_context::<LibraryContext>();
    let storage = use_kernel().storage();
    let sizes = Memo::new(move |_| {
        library.changed.track();
        Sizes::count(|chat, message| {
            let is_deleted = storage.with_log(|log| match message {
                Some(message) => log.is_removed(chat, message),
                None => log.is_deleted(chat),
            });
            is_deleted.unwrap_or(false)
        })
    });

    view! {
        <div class="storage">
            {move || sizes.with(gauge)}
            <PackingSection />
            <SetAsideSection sizes raw_line />
            <JournalSection />
            <KeepingSection />
            <EraseSection question purge_first />
        </div>
    }
}

/// The quarantined records: buttons that save a copy and delete them. Empty if there are none.
#[component]
fn SetAsideSection(
    /// The use of the storage.
    sizes: Memo<Sizes>,
    /// Makes the line of a record.
    raw_line: fn(&str, &str) -> String,
) -> impl IntoView {
    let library = expect_context::<LibraryContext>();
    let records = move || count::records(sizes.with(|sizes| sizes.set_aside));
    let question = Signal::derive(move || t!(storage.delete_records_for_good, records = records()));
    let download = move |_| {
        // Each quarantined record as a line of JSON: its key, and its exact value, unpaired surrogates included.
        let records = storage::records(QUARANTINE_PREFIX);
        let lines = records.iter().map(|(key, value)| raw_line(key, value));
        file::download(
            "sash-set-aside.txt",
            "text/plain",
            lines.collect::<String>().into(),
        );
    };
    let delete = move |()| {
        storage::remove_records(QUARANTINE_PREFIX);
        library.record_change();
        library.focus_button("storage");
    };

    view! {
        <div>
            <Show when=move || { sizes.with(|sizes| sizes.set_aside) > 0 }>
                <section>
                    <h3>{t!(storage.unreadable_records)}</h3>
                    <p class="library-note">
                        {move || {
                            t!(storage.set_aside_hint, records = records())
                        }}
                    </p>
                    <div class="storage-row">
                        <button type="button" on:click=download>
                            {t!(common.download)}
                        </button>
                        <ConfirmButton
                            label=t!(common.delete_question)
                            question
                            keep=t!(storage.keep_them)
                            deed=t!(common.delete)
                            on_confirm=delete
                        />
                    </div>
                </section>
            </Show>
        </div>
    }
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
            t!(storage.crash_loses_second)
        }
        false => t!(storage.crash_loses_minute),
    };

    view! {
        <section>
            <h3>{t!(storage.when_browser_crashes)}</h3>
            <p class="library-note">{words}</p>
        </section>
    }
}

/// Deletes everything that the page stores, and reloads it.
#[component]
fn EraseSection(
    /// Asks what else is to go.
    question: ViewFn,
    /// Deletes that first.
    purge_first: PurgeFirst<()>,
) -> impl IntoView {
    let answers = use_kernel().answers();
    let failed = RwSignal::new(None::<String>);
    let on_confirm = move |()| {
        failed.set(None);
        let purged = purge_first.run(());
        spawn_local(async move {
            answers.stop_everything().await;
            if let Err(why) = purged.await {
                failed.set(Some(t!(storage.nothing_removed, why = &why)));
                return;
            }
            erase::delete_everything().await;
            page::reload();
        });
    };

    view! {
        <section>
            <h3>{t!(storage.delete_everything)}</h3>
            <p class="library-note">
                {t!(storage.delete_everything_hint)}
            </p>
            {question.run()}
            <p class="note note-failed" role="alert" hidden=move || failed.with(Option::is_none)>
                {move || failed.get()}
            </p>
            <ConfirmButton
                label=t!(storage.delete_everything_button)
                question=Signal::stored(t!(storage.delete_everything_question).to_owned())
                keep=t!(storage.keep_everything)
                deed=t!(storage.delete_everything)
                on_confirm
            />
        </section>
    }
}
