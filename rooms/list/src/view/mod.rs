//! The sidebar with the chats.

mod chat_row;
mod folder_dialog;
mod foot;
mod heading_row;
mod list_focus;
mod list_keys;
mod move_dialog;
mod row_menu;
mod rows;
mod selection_bar;
mod swipe;

use crate::ChatList;
pub use folder_dialog::FolderDialog;
use foot::SidebarFoot;
use leptos::prelude::*;
use list_focus::ListFocus;
pub use move_dialog::MoveDialog;
use rows::Rows;
use sash_browser_kit::page;
use sash_chat::Id;
use sash_ui_kit::{Icon, IconButton, IconName, Mark};
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::places::use_places;
use sash_view::stores::use_kernel;
use sash_words::t;
use selection_bar::SelectionBar;
pub use swipe::use_drawer_swipe;
use web_sys::KeyboardEvent;

/// The list of chats, with what is above and below it.
#[component]
pub fn Sidebar(
    /// Lets the person choose files to import.
    #[prop(into)]
    show_import: Callback<()>,
    /// Saves these chats as a file.
    #[prop(into)]
    export: Callback<Vec<Id>>,
) -> impl IntoView {
    let (kernel, list) = (use_kernel(), ChatList::expect());
    let chats_button = FocusRefs::expect().chats_button;
    provide_context(ListFocus::new(kernel, list));
    let search_words = move || match kernel.commands().keys("search") {
        keys if keys.is_empty() => t!(common.search_all_chats).to_owned(),
        keys => format!("{} ({keys})", t!(common.search_all_chats)),
    };
    let on_keydown = move |event: KeyboardEvent| {
        // Escape in an open menu closes that menu alone.
        let closes = event.key() == "Escape" && !event.default_prevented();
        if closes && kernel.view().chats_shown.get_untracked() {
            event.prevent_default();
            kernel.view().chats_shown.set(false);
            page::focus(chats_button);
        }
    };

    view! {
        <nav class="sidebar" id="chats" aria-label=t!(common.chats) on:keydown=on_keydown>
            <div class="sidebar-head">
                <span class="wordmark">
                    <Mark />
                    {t!(list.sash)}
                </span>
                <IconButton
                    label=t!(common.search)
                    icon=IconName::Search
                    title=Signal::derive(search_words)
                    attr:aria-haspopup="dialog"
                    on:click=move |_| kernel.view().show_all_chats("search")
                />
                <button type="button" class="new-chat" on:click=move |_| kernel.chats().begin_chat()>
                    <Icon name=IconName::Plus />
                    {t!(common.new_chat)}
                </button>
            </div>
            <Rows />
            {use_places().list_end.view()}
            <Show
                when=move || list.is_selecting()
                fallback=move || view! { <SidebarFoot show_import /> }
            >
                <SelectionBar export />
            </Show>
        </nav>
    }
}
