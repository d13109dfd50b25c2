//! The system prompt as one line.

use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// The first line of the system prompt, which opens its dialog; empty if there is none.
#[component]
pub fn SystemLine() -> impl IntoView {
    let stores = use_stores();
    let line = Memo::new(move |_| {
        let first = |text: &str| text.trim().lines().next().unwrap_or_default().to_owned();
        stores
            .chats
            .open
            .with(|chat| chat.head.system_at(chat.head.settings.system).map(first))
    });

    view! {
        <div>
            <ShowLet some=line let:line>
                <button
                    type="button"
                    class="system-line"
                    aria-haspopup="dialog"
                    title="Edit the system prompt"
                    on:click=move |_| stores.view.system_shown.set(true)
                >
                    <strong>"System prompt"</strong>
                    " "
                    <span dir="auto">{line}</span>
                </button>
            </ShowLet>
        </div>
    }
}
