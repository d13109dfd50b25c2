//! The foot of the sidebar: the settings, and a menu with all that one opens less often.

use crate::ui::stores::use_stores;
use import::Imports;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_state::ListSettingsStoreFields;
use sash_ui_kit::{Icon, IconName, Menu, MenuItem};
use sash_view::browser::focus_refs::FocusRefs;
use sash_words::t;

/// *Settings*, and the menu *More*.
#[component]
pub fn SidebarFoot() -> impl IntoView {
    let stores = use_stores();
    let kernel = stores.kernel();
    let chats_button = FocusRefs::expect().chats_button;
    let open_settings = move |_| {
        // On a phone the list lies over the page. It closes, and focus comes back to the button that shows it again.
        if kernel.view().chats_shown.get_untracked() {
            kernel.view().chats_shown.set(false);
            page::focus(chats_button);
        }
        kernel.commands().run("settings");
    };

    view! {
        <div class="sidebar-foot">
            <button
                type="button"
                class="foot-settings"
                aria-haspopup="dialog"
                on:click=open_settings
            >
                <Icon name=IconName::Settings />
                {t!(common.settings)}
            </button>
            <Menu label=t!(common.more) id="sidebar-menu">
                <SidebarMenuItems />
            </Menu>
        </div>
    }
}

/// What the menu opens.
#[component]
fn SidebarMenuItems() -> impl IntoView {
    let stores = use_stores();
    let kernel = stores.kernel();
    let list = stores.chat_list();
    let imports = Imports::expect();
    let by_name = list.settings.current.chats_by_name();
    let is_empty = kernel.chats().list.with_untracked(Vec::is_empty);
    let on_my_phone = kernel.commands().named("phone").map(|command| {
        let label = (command.words)();
        view! { <MenuItem icon=IconName::Phone label on_select=move || (command.run)() /> }
    });

    view! {
        <MenuItem
            icon=IconName::FolderPlus
            label=t!(sidebar.new_folder_dialog)
            on_select=move || list.edit_folder(None)
        />
        <MenuItem
            icon=IconName::Checkbox
            label=t!(sidebar.select_chats)
            disabled=is_empty
            on_select=move || list.set_selecting(true)
        />
        <MenuItem
            icon=IconName::Sort
            label=t!(sidebar.sort_by_name)
            checked=by_name.get_untracked()
            on_select=move || {
                list.settings.change(|settings| settings.chats_by_name = !settings.chats_by_name);
            }
        />
        <MenuItem
            icon=IconName::Models
            label=t!(common.models)
            on_select=move || kernel.commands().run("models")
        />
        <MenuItem
            icon=IconName::Chart
            label=t!(common.numbers)
            on_select=move || kernel.commands().run("numbers")
        />
        <MenuItem
            icon=IconName::Trash
            label=t!(common.trash)
            on_select=move || kernel.view().show_all_chats("trash")
        />
        <MenuItem
            icon=IconName::Storage
            label=t!(common.storage)
            on_select=move || kernel.view().show_all_chats("storage")
        />
        <MenuItem
            icon=IconName::Upload
            label=t!(sidebar.import_files)
            on_select=move || imports.open()
        />
        <MenuItem
            icon=IconName::Transfer
            label=t!(common.export)
            on_select=move || kernel.view().show_all_chats("transfer")
        />
        {on_my_phone}
        <MenuItem
            icon=IconName::Command
            label=t!(common.commands)
            on_select=move || kernel.commands().run("commands")
        />
        <MenuItem
            icon=IconName::Keyboard
            label=t!(common.keyboard)
            on_select=move || kernel.commands().run("keys")
        />
    }
}
