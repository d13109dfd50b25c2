//! The chats that are in the backup and not in this browser, because there is no room for them.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::Id;
use sash_words::t;

/// The chats, below those of this browser. A press on one fetches and opens it, if there is room by now.
#[component]
pub fn BackupOnly() -> impl IntoView {
    let stores = use_stores();
    let chats = Memo::new(move |_| {
        let all = stores.backup().state.with(|state| state.no_room.clone());
        let is_here = |id: Id| {
            let list = stores.kernel().chats().list;
            list.with(|list| list.iter().any(|chat| chat.id == id))
        };
        let absent = all.into_iter().filter(|(id, _)| !is_here(*id));
        absent.collect::<Vec<_>>()
    });

    view! {
        <Show when=move || !chats.with(Vec::is_empty)>
            <section class="backup-only">
                <h2>{t!(sidebar.backup_only)}</h2>
                <ul>
                    <For each=move || chats.get() key=Clone::clone let((id, title))>
                        <BackupOnlyRow id title />
                    </For>
                </ul>
            </section>
        </Show>
    }
}

#[component]
fn BackupOnlyRow(
    /// The chat.
    id: Id,
    /// Its title.
    title: String,
) -> impl IntoView {
    let stores = use_stores();
    let kernel = stores.kernel();
    let label = t!(sidebar.fetch_title, title = &title);
    let no_room = t!(sidebar.no_room_yet, title = &title);
    let fetch = Action::new_local(move |(): &()| {
        let no_room = no_room.clone();
        async move {
            let open = kernel.chats().open_id_untracked();
            match stores.backup().fetch_chat(id).await {
                // Unless the person went elsewhere meanwhile.
                Ok(true) if kernel.chats().open_id_untracked() == open => {
                    kernel.chats().open_chat(id);
                }
                Ok(true) => {}
                Ok(false) => kernel.notices().show(no_room),
                Err(fault) => kernel.notices().show(fault.to_string()),
            }
        }
    });

    view! {
        <li>
            <button
                type="button"
                aria-label=label
                aria-disabled=move || fetch.pending().get().then_some("true")
                on:click=move |_| {
                    if !fetch.pending().get_untracked() {
                        fetch.dispatch(());
                    }
                }
            >
                <span class="chat-title" dir="auto">
                    {title}
                </span>
            </button>
        </li>
    }
}
