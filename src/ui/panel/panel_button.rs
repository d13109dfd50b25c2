//! The button in the header that opens the panel.

use super::{BUTTON, TITLE};
use crate::browser::page;
use crate::ui::parts::{IconButton, IconName};
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// Opens the panel, focusing its heading, and closes it.
#[component]
pub fn PanelButton() -> impl IntoView {
    let shown = use_stores().view.panel_shown;
    let toggle = move |_| match shown.get_untracked() {
        true => shown.set(false),
        false => {
            shown.set(true);
            page::focus_soon(TITLE.to_owned());
        }
    };

    view! {
        <IconButton
            label="What the model sees"
            icon=IconName::Eye
            class="panel-button"
            attr:id=BUTTON
            attr:aria-expanded=move || shown.get().to_string()
            attr:aria-controls=move || shown.get().then_some("panel")
            on:click=toggle
        >
            <span>"What the model sees"</span>
        </IconButton>
    }
}
