//! What the model thought: folded, unless nothing else has come yet.

use crate::ui::session::Live;
use leptos::prelude::*;

/// The fold.
#[component]
pub fn Thinking(live: Live) -> impl IntoView {
    let (thinking, text) = (live.thinking.clone(), live.text.clone());
    let any = Memo::new(move |_| thinking.with(|t| !t.is_empty()));
    let shown = live.thinking.clone();
    let still = Memo::new(move |_| live.is_running() && text.with(String::is_empty));
    move || {
        let shown = shown.clone();
        any.get().then(move || {
            view! {
                <details class="thinking" open=move || still.get()>
                    <summary>{move || if still.get() { "Thinking…" } else { "Thought" }}</summary>
                    <div class="thinking-text" dir="auto">{move || shown.get()}</div>
                </details>
            }
        })
    }
}
