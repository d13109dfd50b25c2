//! The numbers over the chat.

use super::chat_sizes::ChatSizes;
use super::model_numbers::ModelNumbers;
use crate::{Measures, read_measures};
use leptos::prelude::*;
use sash_stores::hooks::Command;
use sash_ui_kit::DialogWidth;
use sash_view::parts::PageDialog;
use sash_view::stores::use_kernel;
use sash_words::t;

/// The name of the page in its address.
const PAGE: &str = "numbers";
/// The id of the page's heading.
const TITLE_ID: &str = "numbers-title";

/// Opens the numbers.
pub fn numbers_command() -> Command {
    let view = use_kernel().view();
    Command::new(PAGE, || t!(common.numbers), move || view.show_page(PAGE))
}

/// The numbers over the chat.
#[component]
pub fn NumbersDialog() -> impl IntoView {
    view! {
        <PageDialog page=PAGE class="numbers" title_id=TITLE_ID title=t!(common.numbers) width=DialogWidth::Wide>
            <NumbersPage />
        </PageDialog>
    }
}

/// The numbers of the log: what the answers of each model cost, and the size of each chat. They are read when
/// the page opens.
#[component]
fn NumbersPage() -> impl IntoView {
    let kernel = use_kernel();
    let measures = LocalResource::new(move || read_measures(kernel));
    let words = move || {
        let is_empty = measures.with(|all| all.as_ref().map(Measures::is_empty))?;
        Some(match is_empty {
            true => t!(numbers.nothing_measured),
            false => t!(numbers.numbers_hint),
        })
    };

    view! {
        <p class="hint-line" role="status">
            <Suspense fallback=|| t!(numbers.reading_the_log)>{words}</Suspense>
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
