//! The foot of the sidebar: the settings, and a menu with all that one opens less often.

use crate::{ChatList, ListSettingsStoreFields};
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_ui_kit::{Icon, IconName, Menu, MenuItem};
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::stores::use_kernel;
use sash_words::t;

/// *Settings*, and the menu *More*.
#[component]
pub fn SidebarFoot(
    /// Lets the person choose files to import.
    show_import: Callback<()>,
) -> impl IntoView {
    let kernel = use_kernel();
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
                <SidebarMenuItems show_import />
            </Menu>
        </div>
    }
}

/// What the menu opens.
#[component]
fn SidebarMenuItems(
    /// Lets the person choose files to import.
    show_import: Callback<()>,
) -> impl IntoView {
    let (kernel, list) = (use_kernel(), ChatList::expect());
    let by_name = list.settings.current.chats_by_name();
    let is_empty = kernel.chats().list.with_untracked(Vec::is_empty);
    let open = move |icon: IconName, label: &'static str, command: &'static str| {
        let on_select = move || kernel.commands().run(command);
        view! { <MenuItem icon label on_select /> }
    };
    let phone = kernel.commands().named("phone");
    let phone = phone.map(|command| open(IconName::Phone, (command.words)(), "phone"));

    view! {
        <MenuItem
            icon=IconName::FolderPlus
            label=t!(list.new_folder_dialog)
            on_select=move || list.editing.set(Some(None))
        />
        <MenuItem
            icon=IconName::Checkbox
            label=t!(list.select_chats)
            disabled=is_empty
            on_select=move || list.set_selecting(true)
        />
        <MenuItem
            icon=IconName::Sort
            label=t!(list.sort_by_name)
            checked=by_name.get_untracked()
            on_select=move || {
                list.settings.change(|settings| settings.chats_by_name = !settings.chats_by_name);
            }
        />
        {open(IconName::Models, t!(common.models), "models")}
        {open(IconName::Chart, t!(common.numbers), "numbers")}
        {open(IconName::Trash, t!(common.trash), "trash")}
        {open(IconName::Storage, t!(common.storage), "storage")}
        <MenuItem
            icon=IconName::Upload
            label=t!(list.import_files)
            on_select=move || show_import.run(())
        />
        {open(IconName::Transfer, t!(common.export), "transfer")}
        {phone}
        {open(IconName::Command, t!(common.commands), "commands")}
        {open(IconName::Keyboard, t!(common.keyboard), "keys")}
    }
}
