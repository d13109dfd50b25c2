//! The changelog of the program.

use crate::call::changelog;
use leptos::prelude::*;
use sash_markdown_view::MarkdownText;
use sash_view::parts::failed_note;
use sash_wire::Fault;
use sash_words::t;

/// The changelog that is built into the program, asked for and shown once it is opened.
#[component]
pub fn Changelog() -> impl IntoView {
    let opened = RwSignal::new(false);

    view! {
        // Written in English alone.
        <details class="changelog" on:toggle=move |_| opened.set(true)>
            <summary>{t!(about.whats_new)}</summary>
            <Show when=move || opened.get()>
                <Versions />
            </Show>
        </details>
    }
}

/// The versions with their changes, or why they cannot be had.
#[component]
fn Versions() -> impl IntoView {
    let text = LocalResource::new(|| async { changelog().await.map_err(Fault::from) });
    let whole = Memo::new(|_| false);
    let shown = move |text: String| {
        view! {
            <div lang="en">
                <MarkdownText text=ArcRwSignal::new(text) running=whole />
            </div>
        }
    };

    view! {
        <ErrorBoundary fallback=failed_note>
            <Suspense fallback=|| {
                view! { <p>{t!(about.reading_changelog)}</p> }
            }>{move || text.get().map(|text| text.map(shown))}</Suspense>
        </ErrorBoundary>
    }
}
