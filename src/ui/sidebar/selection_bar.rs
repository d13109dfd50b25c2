//! What can be done with the selected chats. It stands in the place of the sidebar's foot while chats are selected.

use super::list_focus::ListFocus;
use crate::ui::stores::use_stores;
use export::export_chats;
use leptos::prelude::*;
use leptos::task::spawn_local;
use sash_ui_kit::{IconButton, IconName};
use sash_words::{count, t};
use web_sys::KeyboardEvent;

/// How many chats are selected, and the actions.
#[component]
pub fn SelectionBar() -> impl IntoView {
    let stores = use_stores();
    let kernel = stores.kernel();
    let list = stores.chat_list();
    let focus = expect_context::<ListFocus>();
    // The bar goes with its buttons: the focus goes back to the list.
    let end = move |action: &dyn Fn()| {
        let at = focus.number.get_untracked();
        action();
        focus.focus_number(at.unwrap_or_default());
    };
    let on_keydown = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            end(&|| list.set_selecting(false));
        }
    };
    let selected = move || {
        list.selected
            .with(|all| all.as_ref().map_or(0, |all| all.len()))
    };
    let is_none = move || selected() == 0;
    let are_archived = move || {
        list.selected.track();
        !is_none() && list.are_archived(&list.selection())
    };
    let export = move |_| {
        let chats = list.selection();
        end(&|| list.set_selecting(false));
        spawn_local(async move {
            let said = export_chats(kernel, chats).await;
            kernel.notices().show(said);
        });
    };

    view! {
        <div class="sidebar-foot selection-bar" role="group" aria-label=t!(sidebar.selected_chats) on:keydown=on_keydown>
            <span class="selection-count" role="status">
                {move || t!(sidebar.selected, chats = count::chats(selected()))}
            </span>
            <button type="button" class="select-all" on:click=move |_| list.select_all()>
                {t!(sidebar.select_all)}
            </button>
            <IconButton
                label=t!(sidebar.move_to_folder)
                icon=IconName::Folder
                attr:disabled=is_none
                on:click=move |_| list.ask_folder(list.selection())
            />
            <IconButton
                label=Signal::derive(move || match are_archived() {
                    true => t!(sidebar.unarchive).to_owned(),
                    false => t!(sidebar.archive).to_owned(),
                })
                icon=IconName::Archive
                attr:disabled=is_none
                on:click=move |_| end(&|| list.archive_selected())
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
                on:click=move |_| end(&|| list.delete_selected())
            />
            <IconButton
                label=t!(sidebar.stop_selecting)
                icon=IconName::Close
                on:click=move |_| end(&|| list.set_selecting(false))
            />
        </div>
    }
}
