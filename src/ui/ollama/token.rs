//! LAN mode: the token, when the address did not bring it.

use crate::browser::token;
use crate::ui::app::session;
use leptos::ev::SubmitEvent;
use leptos::prelude::*;

/// The form. The token may be pasted.
#[component]
pub fn TokenForm() -> impl IntoView {
    let session = session();
    let typed = RwSignal::new(String::new());
    let open = move |event: SubmitEvent| {
        event.prevent_default();
        let given = typed.get_untracked();
        // The whole address may be pasted as well.
        let given = given
            .rsplit("#t=")
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned();
        if !given.is_empty() {
            token::remember(given);
            session.look_for_ollama();
        }
    };
    view! {
        <form class="panel" aria-label="Token" data-roomy="true" on:submit=open>
            <h2>"This Sash asks for its token"</h2>
            <p>"It printed an address with the token at its start. Open that address, or paste it here."</p>
            <div class="field-row">
                <input
                    aria-label="Token"
                    autocomplete="off"
                    spellcheck="false"
                    prop:value=move || typed.get()
                    on:input=move |event| typed.set(event_target_value(&event))
                />
                <button class="primary" type="submit">"Open"</button>
            </div>
        </form>
    }
}
