//! The choice of a file to import.

use super::flow::ImportFlow;
use crate::browser::file;
use leptos::prelude::*;
use web_sys::Event;

/// The file field.
#[component]
pub fn FileChoice() -> impl IntoView {
    let flow = expect_context::<ImportFlow>();
    let read = move |event: Event| {
        if let Some(file) = file::chosen(&event) {
            flow.read(file);
        }
    };

    view! {
        <div>
            <input
                type="file"
                id="import-file"
                aria-label="File to import"
                accept=".jsonl,.json,.txt,.html"
                on:change=read
            />
        </div>
    }
}
