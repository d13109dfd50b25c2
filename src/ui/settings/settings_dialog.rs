//! The settings over the chat.

use super::settings_page::SettingsPage;
use crate::ui::parts::PageDialog;
use leptos::prelude::*;
use sash_wire::SubPage;

/// The id of the page's heading.
const TITLE_ID: &str = "settings-title";

/// The settings over the chat.
#[component]
pub fn SettingsDialog() -> impl IntoView {
    view! {
        <PageDialog page=SubPage::Settings class="settings" title_id=TITLE_ID title="Settings">
            <SettingsPage />
        </PageDialog>
    }
}
