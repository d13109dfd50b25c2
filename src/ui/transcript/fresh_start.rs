//! The line where the window was begun afresh.

use crate::browser::page;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::Id;

/// The line, and the way back. The log goes on over it.
#[component]
pub fn FreshStart(
    /// The message before the line.
    after: Id,
) -> impl IntoView {
    let stores = use_stores();
    let remove = move |_| {
        stores.steering.unclear(after);
        // The button goes, and focus with it.
        page::focus("conversation");
    };
    view! {
        <p class="afresh">
            <span>"The window starts afresh here"</span>
            <button
                type="button"
                class="link"
                aria-label="Remove the fresh start"
                on:click=remove
            >
                "Remove"
            </button>
        </p>
    }
}
