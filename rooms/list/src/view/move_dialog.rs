//! The choice of a folder for chats.

use crate::ChatList;
use leptos::prelude::*;
use sash_chat::Id;
use sash_ui_kit::{Dialog, DialogState, DialogWidth, Icon, IconName};
use sash_view::stores::use_kernel;
use sash_words::t;
use web_sys::SubmitEvent;

/// The dialog that moves chats to a folder, an existing or a new one.
#[component]
pub fn MoveDialog() -> impl IntoView {
    let moving = ChatList::expect().moving;
    let shown = DialogState::new(
        move || moving.with(Option::is_some),
        move || moving.set(None),
    );

    view! {
        <Dialog
            class="move"
            title=t!(list.move_dialog)
            shown
            width=DialogWidth::Narrow
        >
            <FolderChoice />
        </Dialog>
    }
}

/// The folders, each as a button, and a field for a new one.
#[component]
fn FolderChoice() -> impl IntoView {
    let (kernel, list) = (use_kernel(), ChatList::expect());
    let chats = list.moving.get_untracked().unwrap_or_default();
    let name = RwSignal::new(String::new());
    let here = kernel.chats().list.with_untracked(|all| {
        let mut folders = all
            .iter()
            .filter(|chat| chats.contains(&chat.id))
            .map(|chat| chat.folder);
        let first = folders.next().flatten();
        folders.all(|folder| folder == first).then_some(first)
    });
    let what = kernel.chats().words_of(&chats);
    let chats = StoredValue::new(chats);
    let move_to = move |folder: Option<Id>| {
        let chats = chats.get_value();
        list.moving.set(None);
        list.set_selecting(false);
        list.move_chats(&chats, folder);
    };
    let create = move |event: SubmitEvent| {
        event.prevent_default();
        let name = name.get_untracked();
        if !name.trim().is_empty() {
            let folder = list.folder_named(&name);
            move_to(Some(folder));
            list.reveal_folder(folder);
        }
    };
    let choice = move |folder: Option<Id>, name: String| {
        let is_here = here == Some(folder);
        view! {
            <li>
                <button
                    type="button"
                    class="move-choice"
                    aria-current=is_here.then_some("true")
                    on:click=move |_| move_to(folder)
                >
                    {folder.is_some().then(|| view! { <Icon name=IconName::Folder /> })}
                    <span dir="auto">{name}</span>
                </button>
            </li>
        }
    };
    let folders = kernel.chats().folders.get_untracked();
    // Nothing else can be chosen while there is no folder.
    let is_first = folders.is_empty();

    view! {
        <p class="hint-line">{what}</p>
        <ul class="move-choices">
            {folders
                .into_iter()
                .map(|folder| choice(Some(folder.id), folder.name))
                .collect_view()} {choice(None, t!(list.move_to_no_folder).to_owned())}
        </ul>
        <form class="move-new" on:submit=create>
            <label for="move-new-name">{t!(list.move_to_new_folder)}</label>
            <input
                id="move-new-name"
                type="text"
                autocomplete="off"
                maxlength="100"
                autofocus=is_first
                bind:value=name
            />
            <button disabled=move || name.with(|name| name.trim().is_empty())>
                {t!(list.create_and_move)}
            </button>
        </form>
    }
}
