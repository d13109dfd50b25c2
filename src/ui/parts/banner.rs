//! Warnings in one line.

use super::storage_line::StorageLine;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_wire::Upstream;

/// Says that nothing is saved, that Sash itself does not answer, or that the demo answers.
#[component]
pub fn Banner() -> impl IntoView {
    let stores = use_stores();
    // Only if the person chose the demo: a server that is itself a demo has no other engine.
    let is_chosen = move || {
        stores
            .settings
            .current
            .with(|s| s.upstream == Upstream::Demo)
    };

    view! {
        <div>
            <StorageLine />
            <Show when=move || stores.engine.server_gone.get()>
                <p class="banner banner-warning">
                    "Sash itself does not answer. Is it still running? The chats are here; the page looks again by itself."
                </p>
            </Show>
            <Show when=move || stores.engine.is_demo()>
                <p class="banner">
                    <span>
                        "This is the demo. It is no language model: it only tells what it was given."
                    </span>
                    <Show when=is_chosen>
                        <button
                            type="button"
                            class="link"
                            on:click=move |_| stores.engine.use_upstream(Upstream::Ollama)
                        >
                            "Back to Ollama"
                        </button>
                    </Show>
                </p>
            </Show>
        </div>
    }
}
