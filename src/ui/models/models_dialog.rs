//! The page of models over the chat.

use super::ids::TITLE_ID;
use super::models_page::ModelsPage;
use crate::ui::parts::PageDialog;
use leptos::prelude::*;
use sash_wire::SubPage;

/// The page of models over the chat. Pulls and loads go on after it is closed.
#[component]
pub fn ModelsDialog() -> impl IntoView {
    view! {
        <PageDialog page=SubPage::Models class="models" title_id=TITLE_ID title="Models">
            <ModelsPage />
        </PageDialog>
    }
}
