//! The trash: deleted chats and messages, kept until the person empties it.

use crate::ui::backup::{FolderChoice, FolderToo};
use crate::ui::stores::use_stores;
use leptos::html::{Button, P};
use leptos::prelude::*;
use sash_browser_kit::{clock, page};
use sash_state::BackupState;
use sash_state::library::{Deleted, TrashUnread};
use sash_stores::hooks::Command;
use sash_stores::{chats_and_messages, purge_question};
use sash_ui_kit::ConfirmQuestion;
use sash_view::library::LibraryContext;
use sash_view::parts::{ConfirmButton, failed_note};
use sash_view::stores::use_kernel;
use sash_words::t;

/// Opens the trash.
pub fn trash_command() -> Command {
    let view = use_kernel().view();
    Command::new(
        "trash",
        || t!(common.trash),
        move || view.show_all_chats("trash"),
    )
}

/// The trash.
#[component]
pub fn TrashTab() -> impl IntoView {
    let library = expect_context::<LibraryContext>();
    let stores = use_stores();
    let trash = stores.library();
    let read = LocalResource::new(move || {
        library.changed.track();
        trash.deleted()
    });
    // What can be read is shown, also beside what cannot.
    let all = Memo::new(move |_| match read.get() {
        Some(Ok(all)) | Some(Err(TrashUnread { read: all, .. })) => all,
        None => Vec::new(),
    });
    let backup = stores.backup();
    let folder_too = FolderChoice::new(stores, true);
    let failed = RwSignal::new(None::<String>);
    let purge = Action::new_local(move |only: &Option<Deleted>| {
        let (only, all) = (only.clone(), all.get_untracked());
        let title = only.as_ref().map(title_words);
        let all = only.map_or(all, |one| vec![one]);
        failed.set(None);
        async move {
            let asks_folder = untrack(|| folder_too.get());
            let asks_folder = asks_folder && backup.state.with_untracked(BackupState::is_open);
            // First the folder: what it does not remove stays in the trash.
            let removed = match asks_folder {
                true => backup.purge_deleted(all).await,
                false => Ok(all),
            };
            match removed {
                Ok(all) => {
                    let left = match &title {
                        Some(_) => trash.purge_some(all).await,
                        None => trash.purge(all).await,
                    };
                    match title {
                        _ if !left.is_empty() => failed.set(Some(left_words(&left))),
                        Some(title) => library.announce(&t!(library.deleted_title, title = &title)),
                        None => library.announce(t!(library.the_trash_is_empty)),
                    }
                    library.record_change();
                }
                Err(fault) => {
                    let why = fault.to_string();
                    failed.set(Some(t!(library.could_not_be_removed_from_the, why = &why)));
                }
            }
        }
    });
    let summary = NodeRef::<P>::new();
    let words = move || {
        if purge.pending().get() && purge.input().with(|input| *input == Some(None)) {
            return t!(library.emptying_the_trash).to_owned();
        }
        all.with(|all| match all.len() {
            0 => t!(library.the_trash_is_empty_what_you).to_owned(),
            _ => {
                let (chats, messages) = counts(all);
                let what = chats_and_messages(chats, messages);
                t!(library.kept_until_you_empty_the_trash, what = &what)
            }
        })
    };
    let question = Signal::derive(move || {
        let (chats, messages) = all.with(|all| counts(all));
        purge_question(chats, messages)
    });
    let empty = move |()| {
        purge.dispatch(None);
        page::focus(summary);
    };
    let delete = Callback::new(move |one: Deleted| {
        purge.dispatch(Some(one));
        page::focus(summary);
    });
    let can_be_emptied = move || !purge.pending().get() && !all.with(Vec::is_empty);

    view! {
        <div>
            <ErrorBoundary fallback=failed_note>
                <p class="library-note" node_ref=summary tabindex="-1">
                    <Transition fallback=|| {
                        t!(library.reading_the_trash)
                    }>{move || read.get().map(|read| read.map(|_| words))}</Transition>
                </p>
            </ErrorBoundary>
            <ul class="trash-list">
                <For each=move || all.get() key=Clone::clone let:deleted>
                    <TrashRow
                        deleted
                        summary
                        is_emptying=purge.pending().into()
                        folder_too
                        on_delete=delete
                    />
                </For>
            </ul>
            <p class="note note-failed" role="alert" hidden=move || failed.with(Option::is_none)>
                {move || failed.get()}
            </p>
            <Show when=can_be_emptied>
                <FolderToo folder_too stays=t!(library.in_the_backup_they_stay) />
                <ConfirmButton
                    label=t!(library.empty_trash)
                    question
                    keep=t!(library.keep_them)
                    deed=t!(library.remove_for_good)
                    on_confirm=empty
                />
            </Show>
        </div>
    }
}

/// A chat or a message in the trash, and the buttons that restore it and delete it for good.
#[component]
fn TrashRow(
    /// The deleted chat or message.
    deleted: Deleted,
    /// What says how much is in the trash: it gets the focus when the row goes.
    summary: NodeRef<P>,
    /// Whether the trash is being emptied: the backup may have removed it already.
    is_emptying: Signal<bool>,
    /// Whether what is deleted for good is deleted from the backup too.
    folder_too: FolderChoice,
    /// Deletes it for good.
    on_delete: Callback<Deleted>,
) -> impl IntoView {
    let library = expect_context::<LibraryContext>();
    let trash = use_stores().library();
    let asked = RwSignal::new(false);
    let button = NodeRef::<Button>::new();
    let keep = move |()| {
        asked.set(false);
        page::focus(button);
    };
    let title = title_words(&deleted);
    let about = about_words(&deleted);
    let label = t!(library.restore_title, title = &title);
    let restored = t!(library.restored, title = &title);
    let delete_label = t!(library.delete_title, title = &title);
    let (chats, messages) = counts(std::slice::from_ref(&deleted));
    let again = StoredValue::new(deleted.clone());
    let question = move || {
        view! {
            <div class="trash-question">
                <FolderToo folder_too stays=t!(library.in_the_backup_they_stay) />
                <ConfirmQuestion
                    label=t!(common.delete_question)
                    question=purge_question(chats, messages)
                    keep=t!(common.cancel)
                    deed=t!(library.remove_for_good)
                    on_keep=keep
                    on_confirm=move |()| on_delete.run(again.get_value())
                />
            </div>
        }
    };
    let restore = move |_| {
        trash.restore(&deleted);
        library.announce(&restored);
        library.record_change();
        page::focus(summary);
    };

    view! {
        <li>
            <span class="trash-what">
                <span class="result-title" dir="auto">
                    {title}
                </span>
                <span class="library-note">{about}</span>
            </span>
            <button type="button" aria-label=label disabled=is_emptying on:click=restore>
                {t!(library.restore)}
            </button>
            <button
                type="button"
                node_ref=button
                aria-label=delete_label
                aria-expanded=move || asked.get().to_string()
                disabled=is_emptying
                on:click=move |_| asked.update(|asked| *asked = !*asked)
            >
                {t!(common.delete_question)}
            </button>
            <Show when=move || asked.get()>{question}</Show>
        </li>
    }
}

/// The title of something deleted, or its first words.
fn title_words(deleted: &Deleted) -> String {
    match deleted.title.as_str() {
        "" => t!(library.no_text).to_owned(),
        title => title.to_owned(),
    }
}

/// What it is, and when it was last written or deleted.
fn about_words(deleted: &Deleted) -> String {
    let date = clock::date(deleted.at);
    match (deleted.message, &deleted.in_chat) {
        (None, _) => t!(library.chat_last_written, date = &date),
        (Some(_), Some(chat)) => t!(library.message_of_deleted, chat = &chat, date = &date),
        (Some(_), None) => t!(library.message_deleted, date = &date),
    }
}

/// That some of the trash could not be removed, and why.
fn left_words(left: &[Deleted]) -> String {
    let (chats, messages) = counts(left);
    let what = chats_and_messages(chats, messages);
    t!(library.not_deleted_no_room, what = &what)
}

/// How many chats and how many messages of other chats.
fn counts(all: &[Deleted]) -> (usize, usize) {
    let messages = all.iter().filter(|one| one.message.is_some()).count();
    (all.len() - messages, messages)
}
