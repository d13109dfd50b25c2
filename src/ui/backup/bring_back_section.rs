//! *Bring back*: the chats of the backup, of which the person chooses.

use crate::ui::stores::use_stores;
use import::Imports;
use leptos::either::EitherOf4;
use leptos::html::Button;
use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_browser_kit::page;
use sash_calls::{BackedUpChat, BackupFileState, BackupList};
use sash_state::{BringBack, FolderContents, can_come_back};
use sash_words::{count, t};

/// The button that lists what is in the backup, and the list.
#[component]
pub fn BringBackSection() -> impl IntoView {
    let stores = use_stores();
    let bring_back = stores.bring_back();
    let opener = NodeRef::<Button>::new();
    on_cleanup(move || bring_back.close());
    let list = move |_| bring_back.list();

    view! {
        <div class="bring-back">
            {move || match bring_back.contents.get() {
                FolderContents::Unknown => {
                    EitherOf4::A(
                        view! {
                            <button type="button" node_ref=opener on:click=list>
                                {t!(library.bring_back_chats)}
                            </button>
                        },
                    )
                }
                FolderContents::Reading => {
                    EitherOf4::B(
                        view! {
                            <p class="library-note" role="status">
                                {t!(library.reading_the_backup)}
                            </p>
                        },
                    )
                }
                FolderContents::Read(list) => {
                    EitherOf4::C(view! { <BringBackChoice bring_back list opener /> })
                }
                FolderContents::Failed(fault) => {
                    EitherOf4::D(
                        view! {
                            <p class="note note-failed" role="alert">
                                {fault.to_string()}
                            </p>
                            <button type="button" on:click=list>
                                {t!(common.try_again)}
                            </button>
                        },
                    )
                }
            }}
        </div>
    }
}

/// The chats of the backup, each with a box.
#[component]
fn BringBackChoice(
    /// The choice.
    bring_back: BringBack,
    /// What is in the folder.
    list: BackupList,
    /// The button that opened it.
    opener: NodeRef<Button>,
) -> impl IntoView {
    let first = NodeRef::<Button>::new();
    page::focus_on_load(first);
    let chosen = bring_back.chosen;
    let chats: Vec<BackedUpChat> = list
        .chats
        .into_iter()
        .filter(|chat| chat.state != BackupFileState::Purged)
        .collect();
    let kept = [
        (list.prompts, count::prompts as fn(usize) -> String),
        (list.folders, count::folders),
    ];
    let kept: Vec<String> = kept
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, words)| words(n))
        .collect();
    let is_empty = chats.is_empty() && kept.is_empty();
    let prompts = (!kept.is_empty()).then(|| {
        let chosen = bring_back.chosen_prompts;
        view! {
            <li>
                <label class="bring-back-row">
                    <input type="checkbox" bind:checked=chosen />
                    <span class="result-title">{t!(library.prompts_and_folders)}</span>
                    <span class="library-note">{kept.join(" · ")}</span>
                </label>
            </li>
        }
    });
    let can_come = chats.iter().filter(|chat| can_come_back(chat)).count();
    let rows = chats
        .into_iter()
        .map(|chat| view! { <BackedUpRow bring_back chat /> });
    let others = (!list.others.is_empty()).then(|| {
        let more = match list.more_others {
            0 => String::new(),
            more => t!(library.more_files, files = count::files(more)),
        };
        let names = list.others.join(", ");
        view! {
            <p class="library-note">
                {t!(library.other_files, names = &names, more = &more)}
            </p>
        }
    });
    let imports = Imports::expect();
    let plan = move |_| {
        if let Some(chosen) = bring_back.take_chosen() {
            imports.read_parts(chosen);
        }
    };

    view! {
        <h4>{t!(library.backup_chats)}</h4>
        <Show when=move || is_empty>
            <p class="library-note">{t!(library.backup_empty)}</p>
        </Show>
        <div class="storage-row">
            <button type="button" node_ref=first on:click=move |_| bring_back.choose_all(true)>
                {t!(library.choose_all_chats)}
            </button>
            <button type="button" on:click=move |_| bring_back.choose_all(false)>
                {t!(library.choose_none)}
            </button>
            <span class="library-note" role="status">
                {move || {
                    t!(
                        library.chosen_of,
                        chosen = chosen.with(std::collections::BTreeSet::len),
                        all = can_come
                    )
                }}
            </span>
        </div>
        <ul class="import-list" tabindex="0" aria-label=t!(library.backup_chats)>
            {prompts} {rows.collect_view()}
        </ul>
        {others}
        <p class="library-note">{t!(library.bring_back_hint)}</p>
        <div class="storage-row">
            <button
                type="button"
                class="primary"
                disabled=move || {
                    chosen.with(std::collections::BTreeSet::is_empty)
                        && !bring_back.chosen_prompts.get()
                }
                on:click=plan
            >
                {t!(library.bring_back)}
            </button>
            <button
                type="button"
                on:click=move |_| {
                    bring_back.close();
                    page::focus_soon(opener);
                }
            >
                {t!(common.cancel)}
            </button>
        </div>
    }
}

/// A chat of the backup.
#[component]
fn BackedUpRow(
    /// The choice.
    bring_back: BringBack,
    /// The chat.
    chat: BackedUpChat,
) -> impl IntoView {
    let id = chat.chat;
    let can_come = can_come_back(&chat);
    let about = about(&chat, bring_back.is_here(id));
    let title = match chat.title.is_empty() {
        true => t!(library.without_text).to_owned(),
        false => chat.title,
    };

    view! {
        <li>
            <label class="bring-back-row">
                <input
                    type="checkbox"
                    disabled=!can_come
                    prop:checked=move || bring_back.chosen.with(|chosen| chosen.contains(&id))
                    on:change=move |_| bring_back.toggle(id)
                />
                <span class="result-title" dir="auto">
                    {title}
                </span>
                <span class="library-note">{about}</span>
            </label>
        </li>
    }
}

/// How much it is, when it was written, and what is special about it.
fn about(chat: &BackedUpChat, is_here: bool) -> String {
    let mut parts = Vec::new();
    if chat.state == BackupFileState::Newer {
        parts.push(t!(library.written_by_newer_sash).to_owned());
    } else {
        parts.push(count::messages(chat.messages as usize));
        parts.push(clock::date(chat.at));
    }
    if chat.state == BackupFileState::Changed {
        parts.push(t!(library.changed_outside).to_owned());
    }
    if is_here {
        parts.push(t!(common.here_already).to_owned());
    }
    parts.join(" · ")
}
