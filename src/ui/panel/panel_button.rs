//! The button in the page's head that opens the panel.

use super::{BUTTON, TITLE};
use crate::browser::page;
use crate::ui::parts::{Icon, IconName};
use crate::ui::session::Session;
use leptos::prelude::*;

/// Opens and closes the panel. Focus goes to the panel's title when it opens.
#[component]
pub fn PanelButton() -> impl IntoView {
    let shown = expect_context::<Session>().panel_shown;
    let toggle = move |_| match shown.get_untracked() {
        true => shown.set(false),
        false => {
            shown.set(true);
            page::focus_soon(TITLE.to_owned());
        }
    };

    view! {
        <button
            type="button"
            id=BUTTON
            class="icon-button panel-button"
            aria-label="What the model sees"
            title="What the model sees"
            aria-expanded=move || shown.get().to_string()
            aria-controls=move || shown.get().then_some("panel")
            on:click=toggle
        >
            <Icon name=IconName::Eye />
            <span>"What the model sees"</span>
        </button>
    }
}
