//! The field of the context length.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use web_sys::Event;

/// The most tokens that the field takes.
const MAX_TOKENS: u64 = 100_000_000;

/// The context length of the open chat's model. It belongs to the model: two chats with different values would make
/// Ollama load the model again and again.
#[component]
pub fn ContextRow() -> impl IntoView {
    let stores = use_stores();
    let given = Memo::new(move |_| stores.steering.given_context());
    let error = RwSignal::new(false);
    let text = move || {
        given
            .get()
            .map(|tokens| tokens.to_string())
            .unwrap_or_default()
    };
    let placeholder = move || match stores.steering.context.get() {
        Some(tokens) => format!("{tokens} now"),
        None => "as Ollama decides".to_owned(),
    };
    let on_change = move |event: Event| {
        let text = event_target_value(&event);
        let tokens = text.trim().parse::<u64>().ok();
        let tokens = tokens.filter(|tokens| (1..=MAX_TOKENS).contains(tokens));
        let is_empty = text.trim().is_empty();
        match tokens {
            Some(tokens) => stores.steering.raise_context(tokens),
            None if is_empty => stores.steering.leave_context(),
            None => {}
        }
        // A field that is removed with focus is changed afterwards: the signal may be gone by then.
        _ = error.try_set(tokens.is_none() && !is_empty);
    };
    let reset = move |_| {
        error.set(false);
        stores.steering.leave_context();
    };

    view! {
        <li class="parameter">
            <label for="parameter-num_ctx">"num_ctx"</label>
            <input
                id="parameter-num_ctx"
                type="text"
                inputmode="numeric"
                autocomplete="off"
                aria-describedby="parameter-num_ctx-hint"
                aria-invalid=move || error.get().then_some("true")
                placeholder=placeholder
                prop:value=text
                on:change=on_change
            />
            <Show when=move || given.with(Option::is_some)>
                <button
                    type="button"
                    class="link"
                    aria-label="Reset num_ctx to the default"
                    on:click=reset
                >
                    "Reset"
                </button>
            </Show>
            <p id="parameter-num_ctx-hint" class="hint-line">
                "The context length in tokens. Another value makes Ollama load the model again, so it holds for all chats with this model."
                <span role="alert" class="parameter-error">
                    {move || error.get().then_some(" A whole number of tokens, at least 1.")}
                </span>
            </p>
        </li>
    }
}
