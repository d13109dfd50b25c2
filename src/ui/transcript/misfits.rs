//! Where an answer does not fit its schema.

use super::message_state::MessageState;
use leptos::prelude::*;

/// Says where an answer does not fit the schema that was asked for; empty if it fits.
#[component]
pub fn Misfits() -> impl IntoView {
    let receipt = MessageState::expect().receipt;
    let lines = Memo::new(move |_| {
        let misfits = receipt.with(|receipt| receipt.as_ref().and_then(|r| r.misfits.clone()));
        misfits.unwrap_or_default()
    });

    view! {
        <Show when=move || !lines.with(Vec::is_empty)>
            <div class="note note-failed">
                <span>"The answer does not fit its schema:"</span>
                <ul>
                    {move || {
                        lines.get().into_iter().map(|line| view! { <li>{line}</li> }).collect_view()
                    }}
                </ul>
            </div>
        </Show>
    }
}
