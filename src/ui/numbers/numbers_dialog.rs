//! The numbers over the chat.

use super::chat_sizes::ChatSizes;
use super::model_numbers::ModelNumbers;
use crate::ui::parts::PageDialog;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::Measures;
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

/// The numbers of the log: what the answers of each model cost, and the room of each chat. They are read when
/// the page opens.
#[component]
fn NumbersPage() -> impl IntoView {
    let numbers = use_stores().numbers;
    let measures = LocalResource::new(move || numbers.read());
    let words = move || match measures.with(|all| all.as_ref().map(Measures::is_empty)) {
        None => "Reading the log …",
        Some(true) => "No model has answered yet.",
        Some(false) => "The answers that are in this browser, the oldest at the left.",
    };

    view! {
        <p class="hint-line" role="status">
            {words}
        </p>
        <For
            each=move || measures.get().into_iter().flatten()
            key=|(model, _)| model.clone()
            let((model, measures))
        >
            <ModelNumbers model measures />
        </For>
        <ChatSizes />
    }
}
