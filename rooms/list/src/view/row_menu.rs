//! The menu of a chat in the list.

use super::list_focus::ListFocus;
use crate::ChatList;
use leptos::prelude::*;
use sash_chat::Id;
use sash_ui_kit::{IconName, MenuItem};
use sash_view::stores::use_kernel;
use sash_words::t;

/// What can be done with a chat from its row. What takes the row away leaves the focus at the place where it was.
#[component]
pub fn RowMenuItems(
    /// The chat.
    id: Id,
    /// Whether the chat is being renamed.
    renaming: RwSignal<bool>,
) -> impl IntoView {
    let (kernel, list) = (use_kernel(), ChatList::expect());
    let focus = expect_context::<ListFocus>();
    let entry = kernel
        .chats()
        .list
        .with_untracked(|chats| chats.iter().find(|chat| chat.id == id).cloned());
    let is_pinned = entry.as_ref().is_some_and(|chat| chat.pinned.is_some());
    let is_archived = entry.as_ref().is_some_and(|chat| chat.archived);

    view! {
        <MenuItem
            icon=if is_pinned { IconName::PinOff } else { IconName::Pin }
            label=if is_pinned { t!(list.unpin) } else { t!(list.pin) }
            on_select=move || focus.keep_place(|| list.pin_chat(id, !is_pinned))
        />
        <MenuItem
            icon=IconName::Folder
            label=t!(list.move_to_folder)
            on_select=move || list.moving.set(Some(vec![id]))
        />
        <MenuItem
            icon=if is_archived { IconName::Unarchive } else { IconName::Archive }
            label=if is_archived { t!(list.unarchive) } else { t!(list.archive) }
            on_select=move || focus.keep_place(|| list.archive_chats(&[id], !is_archived))
        />
        <MenuItem
            icon=IconName::Checkbox
            label=t!(list.select)
            on_select=move || focus.keep_place(|| list.toggle(id))
        />
        <MenuItem
            icon=IconName::Pencil
            label=t!(common.rename)
            on_select=move || renaming.set(true)
        />
        <MenuItem
            icon=IconName::Trash
            label=t!(common.delete)
            on_select=move || kernel.answers().delete_chat(id)
        />
    }
}
