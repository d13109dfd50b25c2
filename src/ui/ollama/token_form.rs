//! LAN mode: the form for the token, if the address did not contain it.

use crate::browser::token;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use web_sys::SubmitEvent;

/// The form. It accepts the token or the whole address.
#[component]
pub fn TokenForm() -> impl IntoView {
    let stores = use_stores();
    let pasted = RwSignal::new(String::new());
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let token = pasted.with_untracked(|text| {
            let fragment = text.rsplit('#').next().unwrap_or_default();
            let token = fragment.strip_prefix("t=").unwrap_or(fragment);
            token.trim().to_owned()
        });
        if !token.is_empty() {
            token::remember(token);
            stores.engine.refresh();
        }
    };

    view! {
        <form class="panel" aria-label="Token" data-roomy="true" on:submit=submit>
            <h2>"This Sash asks for its token"</h2>
            <p>
                "When it started it printed an address with the token in it. Open that address, or paste it here."
            </p>
            <div class="field-row">
                <input aria-label="Token" autocomplete="off" spellcheck="false" bind:value=pasted />
                <button class="primary" type="submit">
                    "Open"
                </button>
            </div>
        </form>
    }
}
