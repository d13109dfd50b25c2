//! The settings over the chat.

use crate::parts::PageDialog;
use crate::places::use_places;
use leptos::prelude::*;
use sash_words::t;

/// The id of the page's heading.
const TITLE_ID: &str = "settings-title";

/// The settings over the chat. Each is saved as soon as it is changed.
#[component]
pub fn SettingsDialog() -> impl IntoView {
    let places = use_places();

    view! {
        <PageDialog page="settings" class="settings" title_id=TITLE_ID title=t!(common.settings)>
            {places.settings_sections.view()}
        </PageDialog>
    }
}
