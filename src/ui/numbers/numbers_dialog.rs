//! The numbers over the chat.

use super::numbers_page::{NumbersPage, TITLE_ID};
use crate::ui::parts::PageDialog;
use leptos::prelude::*;
use sash_wire::SubPage;

/// The numbers over the chat.
#[component]
pub fn NumbersDialog() -> impl IntoView {
    view! {
        <PageDialog page=SubPage::Numbers title_id=TITLE_ID>
            <NumbersPage />
        </PageDialog>
    }
}
