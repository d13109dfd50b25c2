//! The foot of the sidebar.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_wire::SubPage;

/// Links to the settings, the library's tabs and the keyboard shortcuts.
#[component]
pub fn SidebarFoot() -> impl IntoView {
    let stores = use_stores();

    view! {
        <div class="sidebar-foot">
            <DialogLink
                label="Settings"
                on_press=move || stores.view.sub_page.set(Some(SubPage::Settings))
            />
            <DialogLink
                label="Numbers"
                on_press=move || stores.view.sub_page.set(Some(SubPage::Numbers))
            />
            <DialogLink label="Trash" on_press=move || stores.library.open("trash") />
            <DialogLink label="Storage" on_press=move || stores.library.open("storage") />
            <DialogLink label="Export" on_press=move || stores.library.open("transfer") />
            <DialogLink label="Keyboard" on_press=move || stores.view.keys_shown.set(true) />
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
