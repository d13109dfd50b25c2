//! The numbers over the chat.

use super::numbers_page::NumbersPage;
use crate::ui::parts::PageDialog;
use leptos::prelude::*;
use sash_wire::SubPage;

/// The id of the page's heading.
const TITLE_ID: &str = "numbers-title";

/// The numbers over the chat.
#[component]
pub fn NumbersDialog() -> impl IntoView {
    view! {
        <PageDialog page=SubPage::Numbers class="numbers" title_id=TITLE_ID title="Numbers">
            <NumbersPage />
        </PageDialog>
    }
}
