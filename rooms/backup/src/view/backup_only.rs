//! The chats that are in the backup and not in this browser, because there is no room for them.

use super::words::titled;
use crate::fault::fault_words;
use crate::store::{Backup, ChatProblem, ProblemReason};
use leptos::prelude::*;
use sash_view::stores::use_kernel;
use sash_words::t;

/// The chats, below those of this browser. A press on one fetches and opens it, if there is room by now.
#[component]
pub fn BackupOnly() -> impl IntoView {
    let (kernel, backup) = (use_kernel(), Backup::expect());
    let chats = Memo::new(move |_| {
        let mut without_room = backup.state.with(|state| state.problems.clone());
        without_room.retain(|problem| problem.reason == ProblemReason::NoRoom);
        // Of a chat that is here there may be no room for what others wrote in it.
        kernel.chats().list.with(|here| {
            without_room.retain(|problem| here.iter().all(|chat| chat.id != problem.chat));
        });
        without_room
    });

    view! {
        <Show when=move || !chats.with(Vec::is_empty)>
            <section class="backup-only">
                <h2>{t!(backup.only_in_backup)}</h2>
                <ul>
                    <For each=move || chats.get() key=|it| (it.chat, it.title.clone()) let:chat>
                        <BackupOnlyRow chat />
                    </For>
                </ul>
            </section>
        </Show>
    }
}

#[component]
fn BackupOnlyRow(
    /// The chat.
    chat: ChatProblem,
) -> impl IntoView {
    let (kernel, backup) = (use_kernel(), Backup::expect());
    let (id, title) = (chat.chat, titled(&chat.title).to_owned());
    let label = t!(backup.fetch_title, title = &title);
    let no_room = t!(backup.no_room_yet, title = &title);
    let fetch = Action::new_local(move |(): &()| {
        let no_room = no_room.clone();
        async move {
            let open = kernel.chats().open_id_untracked();
            match backup.fetch_chat(id).await {
                // Unless the person went elsewhere meanwhile.
                Ok(true) if kernel.chats().open_id_untracked() == open => {
                    kernel.chats().open_chat(id);
                }
                Ok(true) => {}
                Ok(false) => kernel.notices().show(no_room),
                Err(fault) => kernel.notices().show(fault_words(&fault)),
            }
        }
    });

    view! {
        <li>
            <button
                type="button"
                aria-label=label
                aria-busy=move || fetch.pending().get().then_some("true")
                on:click=move |_| _ = fetch.dispatch(())
            >
                <span class="chat-title" dir="auto">
                    {title}
                </span>
            </button>
        </li>
    }
}
