//! Where an answer is not in the form that was asked for.

use super::message_state::MessageState;
use leptos::prelude::*;

/// Says where an answer is not in the form that was asked for; empty if it is.
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
                <span>"The answer is not what was asked for:"</span>
                <ul>
                    {move || {
                        lines.get().into_iter().map(|line| view! { <li>{line}</li> }).collect_view()
                    }}
                </ul>
            </div>
        </Show>
    }
}
