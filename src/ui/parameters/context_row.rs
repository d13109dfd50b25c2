//! The field of the context length.

use super::parameter_field::ParameterField;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_wire::NUM_CTX;

/// The most tokens that the field takes.
const MAX_TOKENS: u64 = 100_000_000;

/// The context length of the open chat's model. It belongs to the model: two chats with different values would make
/// Ollama load the model again and again.
#[component]
pub fn ContextRow() -> impl IntoView {
    let stores = use_stores();
    let value = Memo::new(move |_| {
        let given = stores.steering.given_context();
        given.map(|tokens| tokens.to_string())
    });
    let placeholder = move || match stores.steering.context.get() {
        Some(tokens) => format!("{tokens} now"),
        None => "as Ollama decides".to_owned(),
    };
    let on_change = move |text: &str| {
        let text = text.trim();
        if text.is_empty() {
            stores.steering.leave_context();
            return Ok(());
        }
        match text.parse() {
            Ok(tokens @ 1..=MAX_TOKENS) => stores.steering.raise_context(tokens),
            _ => return Err("A whole number of tokens, at least 1.".to_owned()),
        }
        Ok(())
    };

    view! {
        <ParameterField
            name=NUM_CTX
            note="The context length in tokens. Another value makes Ollama load the model again, so it holds for all chats with this model."
            value
            placeholder=Signal::derive(placeholder)
            on_change
        />
    }
}
