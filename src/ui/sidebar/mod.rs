//! The sidebar with the chats.

mod chat_list;
mod chat_row;
mod keys_dialog;
mod rename_field;

use crate::browser::page::{self, FocusRefs};
use crate::ui::parts::{Icon, IconButton, IconName, Mark};
use crate::ui::stores::use_stores;
use chat_list::ChatList;
pub use keys_dialog::KeysDialog;
use leptos::prelude::*;
pub use rename_field::RenameField;
use sash_wire::SubPage;
use sash_words::t;
use web_sys::KeyboardEvent;

/// The list of chats, with what is above and below it.
#[component]
pub fn Sidebar() -> impl IntoView {
    let stores = use_stores();
    let chats_button = FocusRefs::expect().chats_button;
    let on_keydown = move |event: KeyboardEvent| {
        if event.key() == "Escape" && stores.view.chats_shown.get_untracked() {
            event.prevent_default();
            stores.view.chats_shown.set(false);
            page::focus(chats_button);
        }
    };

    view! {
        <nav class="sidebar" id="chats" aria-label=t!(common.chats) on:keydown=on_keydown>
            <div class="sidebar-head">
                <span class="wordmark">
                    <Mark />
                    {t!(sidebar.sash)}
                </span>
                <IconButton
                    label=t!(common.search)
                    icon=IconName::Search
                    title=t!(sidebar.search_all_chats_ctrl_k)
                    attr:aria-haspopup="dialog"
                    on:click=move |_| stores.library.open("search")
                />
                <button type="button" class="new-chat" on:click=move |_| stores.chats.begin_chat()>
                    <Icon name=IconName::Plus />
                    {t!(common.new_chat)}
                </button>
            </div>
            <ChatList />
            <SidebarFoot />
        </nav>
    }
}

/// Links to the settings, the library's tabs and the keyboard shortcuts.
#[component]
fn SidebarFoot() -> impl IntoView {
    let stores = use_stores();

    view! {
        <div class="sidebar-foot">
            <DialogLink
                label=t!(common.settings)
                on_press=move || stores.view.sub_page.set(Some(SubPage::Settings))
            />
            <DialogLink
                label=t!(common.numbers)
                on_press=move || stores.view.sub_page.set(Some(SubPage::Numbers))
            />
            <DialogLink label=t!(common.trash) on_press=move || stores.library.open("trash") />
            <DialogLink label=t!(common.storage) on_press=move || stores.library.open("storage") />
            <DialogLink label=t!(common.export) on_press=move || stores.library.open("transfer") />
            <DialogLink label=t!(sidebar.keyboard) on_press=move || stores.view.keys_shown.set(true) />
        </div>
    }
}

/// A button that looks like a link and opens a dialog.
#[component]
fn DialogLink(
    /// Its label.
    label: &'static str,
    /// Opens the dialog.
    on_press: impl Fn() + 'static,
) -> impl IntoView {
    view! {
        <button type="button" class="link" aria-haspopup="dialog" on:click=move |_| on_press()>
            {label}
        </button>
    }
}
