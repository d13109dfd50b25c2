//! The tab about the browser's storage.

use super::packing_section::PackingSection;
use super::sizes::Sizes;
use super::storage_gauge::StorageGauge;
use crate::ui::backup::KeepingSection;
use crate::ui::backup::{FolderChoice, FolderToo};
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use leptos::task::spawn_local;
use sash_browser_kit::file;
use sash_browser_kit::page;
use sash_calls::BackupPurge;
use sash_form::lines;
use sash_log::QUARANTINE_PREFIX;
use sash_state::BackupState;
use sash_stores::hooks::Command;
use sash_view::browser::journal::BrowserJournal;
use sash_view::browser::{erase, storage};
use sash_view::library::LibraryContext;
use sash_view::parts::ConfirmButton;
use sash_view::stores::use_kernel;
use sash_words::{count, t};

/// Opens what is stored.
pub fn storage_command() -> Command {
    let view = use_kernel().view();
    Command::new(
        "storage",
        || t!(common.storage),
        move || view.show_all_chats("storage"),
    )
}

/// The browser's storage: how much is used and for what, packing, unreadable records, the journal, and
/// deleting everything.
#[component]
pub fn StorageTab() -> impl IntoView {
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
            <StorageGauge sizes />
            <PackingSection />
            <SetAsideSection sizes />
            <JournalSection />
            <KeepingSection />
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
    let records = move || count::records(sizes.with(|sizes| sizes.set_aside));
    let question = Signal::derive(move || t!(library.delete_records_for_good, records = records()));
    let download = |_| file::download("sash-set-aside.txt", "text/plain", raw_lines().into());
    let delete = move |()| {
        storage::remove_records(QUARANTINE_PREFIX);
        library.record_change();
        library.focus_button("storage");
    };

    view! {
        <div>
            <Show when=move || { sizes.with(|sizes| sizes.set_aside) > 0 }>
                <section>
                    <h3>{t!(library.records_that_could_not_be_read)}</h3>
                    <p class="library-note">
                        {move || {
                            t!(library.set_aside_unchanged_a_copy_may, records = records())
                        }}
                    </p>
                    <div class="storage-row">
                        <button type="button" on:click=download>
                            {t!(common.download)}
                        </button>
                        <ConfirmButton
                            label=t!(common.delete_question)
                            question
                            keep=t!(library.keep_them)
                            deed=t!(common.delete)
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
    let lines = records.iter().map(|(key, value)| lines::raw(key, value));
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
            t!(library.at_most_the_last_second_of)
        }
        false => t!(library.the_last_minute_may_be_lost),
    };

    view! {
        <section>
            <h3>{t!(library.if_the_browser_crashes)}</h3>
            <p class="library-note">{words}</p>
        </section>
    }
}

/// Deletes everything that the page stores, and reloads it.
#[component]
fn EraseSection() -> impl IntoView {
    let question = t!(library.delete_all_chats_and_settings).to_owned();
    let stores = use_stores();
    let (answers, backup) = (stores.kernel().answers(), stores.backup());
    let folder_too = FolderChoice::new(stores, false);
    let failed = RwSignal::new(None::<String>);
    let on_confirm = move |()| {
        failed.set(None);
        spawn_local(async move {
            let asks_folder = untrack(|| folder_too.get());
            answers.stop_everything().await;
            if asks_folder && backup.state.with_untracked(BackupState::is_open) {
                // What is written now would be handed over after the folder is empty.
                backup.stop();
                // First the folder: without its key, which goes with the settings, nothing can be removed there.
                if let Err(fault) = backup.purge(BackupPurge::Everything).await {
                    backup.try_again();
                    let why = fault.to_string();
                    failed.set(Some(t!(library.could_not_be_removed_from_the, why = &why)));
                    return;
                }
            }
            erase::delete_everything().await;
            page::reload();
        });
    };

    view! {
        <section>
            <h3>{t!(library.delete_everything)}</h3>
            <p class="library-note">
                {t!(library.all_chats_the_trash_and_the)}
            </p>
            <FolderToo folder_too stays=t!(library.in_the_backup_everything_stays) />
            <p class="note note-failed" role="alert" hidden=move || failed.with(Option::is_none)>
                {move || failed.get()}
            </p>
            <ConfirmButton
                label=t!(library.delete_everything_button)
                question=Signal::stored(question)
                keep=t!(library.keep_everything)
                deed=t!(library.delete_everything)
                on_confirm
            />
        </section>
    }
}
