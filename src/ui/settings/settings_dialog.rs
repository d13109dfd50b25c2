//! The settings over the chat.

use super::settings_page::{SettingsPage, TITLE_ID};
use crate::ui::parts::PageDialog;
use leptos::prelude::*;
use sash_wire::SubPage;

/// The settings over the chat.
#[component]
pub fn SettingsDialog() -> impl IntoView {
    view! {
        <PageDialog page=SubPage::Settings title_id=TITLE_ID>
            <SettingsPage />
        </PageDialog>
    }
}
