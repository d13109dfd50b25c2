//! The trash: deleted chats and messages, kept until the person empties it.

use super::PurgeFirst;
use super::confirm_button::ConfirmButton;
use crate::{Deleted, Library, TrashUnread, chats_and_messages, purge_question};
use leptos::html::{Button, P};
use leptos::prelude::*;
use sash_browser_kit::{clock, page};
use sash_stores::DeletedId;
use sash_ui_kit::ConfirmQuestion;
use sash_view::library::LibraryContext;
use sash_view::parts::failed_note;
use sash_words::t;

/// The trash.
#[component]
pub fn TrashTab(
    /// Asks, beside each button that deletes for good, what else is to go.
    #[prop(into)]
    question: ViewFn,
    /// Deletes that first. Gives what is to be deleted here.
    purge_first: PurgeFirst<Vec<DeletedId>>,
) -> impl IntoView {
    let (library, trash) = (expect_context::<LibraryContext>(), Library::expect());
    let others = StoredValue::new(question);
    let read = LocalResource::new(move || {
        library.changed.track();
        trash.deleted()
    });
    // What can be read is shown, also beside what cannot.
    let all = Memo::new(move |_| match read.get() {
        Some(Ok(all)) | Some(Err(TrashUnread { read: all, .. })) => all,
        None => Vec::new(),
    });
    let failed = RwSignal::new(None::<String>);
    let purge = Action::new_local(move |only: &Option<Deleted>| {
        let (only, all) = (only.clone(), all.get_untracked());
        let title = only.as_ref().map(title_words);
        let all = only.map_or(all, |one| vec![one]);
        let removed = purge_first.run(all.iter().map(Deleted::id).collect());
        failed.set(None);
        async move {
            match removed.await {
                Ok(all) => {
                    let left = match &title {
                        Some(_) => trash.purge_some(all).await,
                        None => trash.purge(all).await,
                    };
                    match title {
                        _ if !left.is_empty() => failed.set(Some(left_words(&left))),
                        Some(title) => library.announce(&t!(storage.deleted_title, title = &title)),
                        None => library.announce(t!(storage.trash_emptied)),
                    }
                    library.record_change();
                }
                Err(why) => {
                    failed.set(Some(t!(storage.nothing_removed, why = &why)));
                }
            }
        }
    });
    let summary = NodeRef::<P>::new();
    let words = move || {
        if purge.pending().get() && purge.input().with(|input| *input == Some(None)) {
            return t!(storage.emptying_the_trash).to_owned();
        }
        all.with(|all| match all.len() {
            0 => t!(storage.trash_empty_hint).to_owned(),
            _ => {
                let (chats, messages) = counts_of(all);
                let what = chats_and_messages(chats, messages);
                t!(storage.trash_content, what = &what)
            }
        })
    };
    let question = Signal::derive(move || {
        let (chats, messages) = all.with(|all| counts_of(all));
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
                        t!(storage.reading_the_trash)
                    }>{move || read.get().map(|read| read.map(|_| words))}</Transition>
                </p>
            </ErrorBoundary>
            <ul class="trash-list">
                <For each=move || all.get() key=Clone::clone let:deleted>
                    <TrashRow
                        deleted
                        summary
                        is_emptying=purge.pending().into()
                        others
                        on_delete=delete
                    />
                </For>
            </ul>
            <p class="note note-failed" role="alert" hidden=move || failed.with(Option::is_none)>
                {move || failed.get()}
            </p>
            <Show when=can_be_emptied>
                {others.get_value().run()}
                <ConfirmButton
                    label=t!(storage.empty_trash)
                    question
                    keep=t!(storage.keep_them)
                    deed=t!(storage.remove_for_good)
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
    /// Asks what else is to go.
    others: StoredValue<ViewFn>,
    /// Deletes it for good.
    on_delete: Callback<Deleted>,
) -> impl IntoView {
    let (library, trash) = (expect_context::<LibraryContext>(), Library::expect());
    let asked = RwSignal::new(false);
    let button = NodeRef::<Button>::new();
    let keep = move |()| {
        asked.set(false);
        page::focus(button);
    };
    let title = title_words(&deleted);
    let about = about_words(&deleted);
    let label = t!(storage.restore_title, title = &title);
    let restored = t!(storage.restored, title = &title);
    let delete_label = t!(storage.delete_title, title = &title);
    let (chats, messages) = counts_of(std::slice::from_ref(&deleted));
    let again = StoredValue::new(deleted.clone());
    let question = move || {
        view! {
            <div class="trash-question">
                {others.get_value().run()}
                <ConfirmQuestion
                    label=t!(common.delete_question)
                    question=purge_question(chats, messages)
                    keep=t!(common.cancel)
                    deed=t!(storage.remove_for_good)
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
                {t!(storage.restore)}
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
        "" => t!(library.without_text).to_owned(),
        title => title.to_owned(),
    }
}

/// What it is, and when it was last written or deleted.
fn about_words(deleted: &Deleted) -> String {
    let date = clock::date(deleted.at);
    match &deleted.in_chat {
        None => t!(storage.chat_last_written, date = &date),
        Some(chat) => t!(storage.message_of_deleted, chat = &chat, date = &date),
    }
}

/// That some of the trash could not be removed, and why.
fn left_words(left: &[DeletedId]) -> String {
    let (chats, messages) = counts(left.iter().copied());
    let what = chats_and_messages(chats, messages);
    t!(storage.not_deleted_no_room, what = &what)
}

/// How many chats and how many messages of other chats.
fn counts(all: impl Iterator<Item = DeletedId>) -> (usize, usize) {
    let (chats, messages): (Vec<_>, Vec<_>) = all.partition(|(_, message)| message.is_none());
    (chats.len(), messages.len())
}

fn counts_of(all: &[Deleted]) -> (usize, usize) {
    counts(all.iter().map(Deleted::id))
}
