//! The sidebar with the chats.

mod chat_list;
mod chat_row;
mod keys_dialog;
mod rename_field;
mod sidebar_foot;

use super::parts::{Icon, IconButton, IconName, Mark};
use crate::browser::page;
use crate::ui::stores::use_stores;
use chat_list::ChatList;
pub use keys_dialog::KeysDialog;
use leptos::prelude::*;
pub use rename_field::RenameField;
use sidebar_foot::SidebarFoot;
use web_sys::KeyboardEvent;

/// The list of chats, with what is above and below it.
#[component]
pub fn Sidebar() -> impl IntoView {
    let stores = use_stores();
    let on_keydown = move |event: KeyboardEvent| {
        if event.key() == "Escape" && stores.view.chats_shown.get_untracked() {
            event.prevent_default();
            stores.view.chats_shown.set(false);
            page::focus("chats-toggle");
        }
    };

    view! {
        <nav class="sidebar" id="chats" aria-label="Chats" on:keydown=on_keydown>
            <div class="sidebar-head">
                <span class="wordmark">
                    <Mark />
                    "Sash"
                </span>
                <IconButton
                    label="Search"
                    icon=IconName::Search
                    title="Search all chats (Ctrl+K)"
                    attr:aria-haspopup="dialog"
                    on:click=move |_| stores.library.open("search")
                />
                <button type="button" class="new-chat" on:click=move |_| stores.chats.begin_chat()>
                    <Icon name=IconName::Plus />
                    "New chat"
                </button>
            </div>
            <ChatList />
            <SidebarFoot />
        </nav>
    }
}
