//! What there is beside the chats.

use crate::ui::app::use_session;
use leptos::prelude::*;

/// Links to the library's tabs and to the list of keys.
#[component]
pub fn SidebarFoot() -> impl IntoView {
    let session = use_session();

    view! {
        <div class="sidebar-foot">
            <DialogLink label="Trash" on_press=move || session.open_library("trash") />
            <DialogLink label="Storage" on_press=move || session.open_library("storage") />
            <DialogLink label="Export" on_press=move || session.open_library("transfer") />
            <DialogLink label="Keyboard" on_press=move || session.keys_shown.set(true) />
        </div>
    }
}

/// A button, in the looks of a link, that opens a dialog.
#[component]
fn DialogLink(
    /// Its words.
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
