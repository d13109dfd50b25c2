//! The bar of what can be done with the selected chats. It stands in the place of the sidebar's foot while chats are selected.

use super::list_focus::ListFocus;
use crate::ChatList;
use leptos::prelude::*;
use sash_chat::Id;
use sash_ui_kit::{IconButton, IconName};
use sash_view::stores::use_kernel;
use sash_words::{count, t};
use web_sys::KeyboardEvent;

/// How many chats are selected, and the actions.
#[component]
pub fn SelectionBar(
    /// Saves these chats as a file.
    export: Callback<Vec<Id>>,
) -> impl IntoView {
    let (chats, list) = (use_kernel().chats(), ChatList::expect());
    let focus = expect_context::<ListFocus>();
    // The bar goes with its buttons: the focus goes back to the list.
    let end = move |act: fn(ChatList)| focus.keep_place(|| act(list));
    let on_keydown = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            end(|list| list.set_selecting(false));
        }
    };
    let selected = move || list.selection.with(Vec::len);
    let is_none = move || selected() == 0;
    let are_archived = move || {
        chats.list.track();
        !is_none() && list.are_archived(&list.selection.get())
    };
    let export = move |_| {
        let chats = list.selection.get_untracked();
        end(|list| list.set_selecting(false));
        export.run(chats);
    };

    view! {
        <div class="sidebar-foot selection-bar" role="group" aria-label=t!(list.selected_chats) on:keydown=on_keydown>
            <span class="selection-count" role="status">
                {move || t!(list.selected, chats = count::chats(selected()))}
            </span>
            <button type="button" class="select-all" on:click=move |_| list.select_all()>
                {t!(list.select_all)}
            </button>
            <IconButton
                label=t!(list.move_to_folder)
                icon=IconName::Folder
                attr:disabled=is_none
                on:click=move |_| list.moving.set(Some(list.selection.get_untracked()))
            />
            <IconButton
                label=Signal::derive(move || match are_archived() {
                    true => t!(list.unarchive).to_owned(),
                    false => t!(list.archive).to_owned(),
                })
                icon=IconName::Archive
                attr:disabled=is_none
                on:click=move |_| end(ChatList::archive_selected)
            />
            <IconButton
                label=t!(common.export)
                icon=IconName::Download
                attr:disabled=is_none
                on:click=export
            />
            <IconButton
                label=t!(common.delete)
                icon=IconName::Trash
                attr:disabled=is_none
                on:click=move |_| end(ChatList::delete_selected)
            />
            <IconButton
                label=t!(list.stop_selecting)
                icon=IconName::Close
                on:click=move |_| end(|list| list.set_selecting(false))
            />
        </div>
    }
}
