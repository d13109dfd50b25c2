//! *Restore*: the chats of the backup, of which the person chooses.

use super::words::{restore_words, titled};
use crate::fault::fault_words;
use crate::store::{Backup, ChatPlace, FileParts, RestoreChat};
use futures::FutureExt;
use futures::future::LocalBoxFuture;
use leptos::html::Button;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::Id;
use sash_words::{count, t};
use std::collections::BTreeSet;

/// Shows what an import of files would do.
pub type Review = Callback<LocalBoxFuture<'static, FileParts>>;

/// The button that lists what is in the backup, and the list.
#[component]
pub fn RestoreSection(
    /// Shows what an import of the chosen chats would do.
    review: Review,
) -> impl IntoView {
    let backup = Backup::expect();
    let from_trash = RwSignal::new(0_usize);
    let list = Action::new_local(move |(): &()| {
        from_trash.set(0);
        backup.list_chats()
    });
    if backup.state.with_untracked(|state| state.lists_chats) {
        backup.state.update(|state| state.lists_chats = false);
        list.dispatch(());
    }
    let opener = NodeRef::<Button>::new();
    let close = Callback::new(move |()| {
        list.value().set(None);
        page::focus_soon(opener);
    });
    let restore = Callback::new(move |mut chats: Vec<RestoreChat>| {
        from_trash.set(backup.take_out_of_trash(&mut chats));
        if !chats.is_empty() {
            review.run(backup.read_chats(chats).boxed_local());
        }
        close.run(());
    });
    let from_trash_words = move || {
        let taken = Some(from_trash.get()).filter(|taken| *taken > 0);
        taken.map(|taken| t!(backup.left_trash, chats = count::chats(taken)))
    };
    let content = move || match list.value().get() {
        _ if list.pending().get() => view! {
            <p class="library-note" role="status">
                {t!(backup.reading)}
            </p>
        }
        .into_any(),
        None => view! {
            <button type="button" node_ref=opener on:click=move |_| _ = list.dispatch(())>
                {t!(backup.restore_chats)}
            </button>
        }
        .into_any(),
        Some(Ok(chats)) => view! { <RestoreChoice chats close restore /> }.into_any(),
        Some(Err(fault)) => view! {
            <p class="note note-failed" role="alert">
                {fault_words(&fault)}
            </p>
            <button type="button" on:click=move |_| _ = list.dispatch(())>
                {t!(common.try_again)}
            </button>
        }
        .into_any(),
    };

    view! {
        <div class="backup-restore">
            {content}
            <p class="library-note" role="status">
                {from_trash_words}
            </p>
        </div>
    }
}

/// The chats of the backup, each with a box. Those that are not here are chosen.
#[component]
fn RestoreChoice(
    /// What is in the backup.
    chats: Vec<RestoreChat>,
    /// Closes the list.
    close: Callback<()>,
    /// Restores the chosen chats, and closes it.
    restore: Callback<Vec<RestoreChat>>,
) -> impl IntoView {
    let first = NodeRef::<Button>::new();
    page::focus_on_load(first);
    let is_empty = chats.is_empty();
    let readable = chats.iter().filter(|it| !it.is_newer);
    let absent = readable.clone().filter(|it| it.place == ChatPlace::Absent);
    let chosen = RwSignal::new(absent.map(|it| it.chat).collect::<BTreeSet<Id>>());
    let readable: BTreeSet<Id> = readable.map(|it| it.chat).collect();
    let number = readable.len();
    let selected = move || {
        let chosen = chosen.with(BTreeSet::len);
        t!(library.chosen_of, chosen = chosen, all = number)
    };
    let rows = chats.clone().into_iter();
    let rows = rows.map(|chat| view! { <RestoreRow chat chosen /> });
    let restore_chosen = move |_| {
        let mut chats = chats.clone();
        chats.retain(|chat| chosen.with_untracked(|chosen| chosen.contains(&chat.chat)));
        restore.run(chats);
    };

    view! {
        <h4>{t!(backup.chats_title)}</h4>
        {is_empty.then(|| view! { <p class="library-note">{t!(backup.empty)}</p> })}
        <div class="storage-row">
            <button type="button" node_ref=first on:click=move |_| chosen.set(readable.clone())>
                {t!(library.choose_all_chats)}
            </button>
            <button type="button" on:click=move |_| chosen.set(BTreeSet::new())>
                {t!(library.choose_none)}
            </button>
            <span class="library-note" role="status">
                {selected}
            </span>
        </div>
        <ul class="import-list" tabindex="0" aria-label=t!(backup.chats_title)>
            {rows.collect_view()}
        </ul>
        <p class="library-note">{t!(backup.restore_hint)}</p>
        <div class="storage-row">
            <button
                type="button"
                class="primary"
                disabled=move || chosen.with(BTreeSet::is_empty)
                on:click=restore_chosen
            >
                {t!(backup.restore)}
            </button>
            <button type="button" on:click=move |_| close.run(())>
                {t!(common.cancel)}
            </button>
        </div>
    }
}

/// A chat of the backup.
#[component]
fn RestoreRow(
    /// The chat.
    chat: RestoreChat,
    /// The chats that are chosen.
    chosen: RwSignal<BTreeSet<Id>>,
) -> impl IntoView {
    let id = chat.chat;
    let choose = move |is_chosen: bool| {
        chosen.update(|chosen| match is_chosen {
            true => _ = chosen.insert(id),
            false => _ = chosen.remove(&id),
        });
    };

    view! {
        <li>
            <label class="choice-row">
                <input
                    type="checkbox"
                    disabled=chat.is_newer
                    prop:checked=move || chosen.with(|chosen| chosen.contains(&id))
                    on:change:target=move |event| choose(event.target().checked())
                />
                <span class="result-title" dir="auto">
                    {titled(&chat.title).to_owned()}
                </span>
                <span class="library-note">{restore_words(&chat)}</span>
            </label>
        </li>
    }
}
