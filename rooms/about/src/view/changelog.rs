//! The changelog of the program.

use crate::call::changelog;
use leptos::prelude::*;
use sash_markdown_view::MarkdownText;
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

/// The versions with their changes, or why they cannot be had, with a second try.
#[component]
fn Versions() -> impl IntoView {
    let read = Action::new_local(|(): &()| async { changelog().await.map_err(Fault::from) });
    read.dispatch(());
    let whole = Memo::new(|_| false);

    move || match read.value().get() {
        _ if read.pending().get() => view! {
            <p role="status">{t!(about.reading_changelog)}</p>
        }
        .into_any(),
        None => ().into_any(),
        Some(Ok(text)) => view! {
            <div lang="en">
                <MarkdownText text=ArcRwSignal::new(text) running=whole />
            </div>
        }
        .into_any(),
        Some(Err(fault)) => view! {
            <p class="note note-failed" role="alert">
                {fault.to_string()}
            </p>
            <div class="setting-buttons">
                <button type="button" on:click=move |_| _ = read.dispatch(())>
                    {t!(common.try_again)}
                </button>
            </div>
        }
        .into_any(),
    }
}
