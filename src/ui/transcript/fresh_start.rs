//! The line of a clearing, where the window starts.

use crate::browser::page;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::Id;

/// The line, and a button that removes the clearing. The conversation above it is unchanged.
#[component]
pub fn FreshStart(
    /// The message before the line.
    after: Id,
) -> impl IntoView {
    let stores = use_stores();
    let remove = move |_| {
        stores.steering.unclear(after);
        // The button is removed together with its focus.
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
