//! A summary that is being written.

use crate::browser::page;
use crate::ui::parts::{GrowingText, plural};
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// What has come of it, and a button that stops it.
#[component]
pub fn RunningSummary() -> impl IntoView {
    let stores = use_stores();
    let title = move || {
        let count = stores
            .summaries
            .draft
            .with(|draft| draft.as_ref().map_or(0, |d| d.count));
        format!("Summarising {}…", plural(count as usize, "earlier message"))
    };
    let stop = move |_| {
        stores.summaries.stop();
        page::focus("prompt");
    };

    view! {
        <section class="summary" aria-label="Summary that is being written" aria-busy="true">
            <p class="summary-head">
                <strong>{title}</strong>
            </p>
            <GrowingText class="summary-text" text=stores.summaries.text />
            <div class="summary-buttons">
                <button type="button" on:click=stop>
                    "Stop"
                </button>
            </div>
        </section>
    }
}
