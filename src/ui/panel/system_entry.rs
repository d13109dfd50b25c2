//! The entry of the system prompt in the panel.

use crate::ui::parts::plural;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::window::Size;

/// The system prompt's size, and a button that opens its dialog.
#[component]
pub fn SystemEntry() -> impl IntoView {
    let stores = use_stores();
    let size = Memo::new(move |_| {
        stores
            .chats
            .open
            .with(|chat| chat.head.system_at(chat.head.settings.system).map(Size::of))
    });
    let words = move || match size.get() {
        None => "none".to_owned(),
        Some(size) => {
            let tokens = stores.steering.estimate.get().part(size);
            format!("about {}", plural(tokens as usize, "token"))
        }
    };

    view! {
        <div class="system-entry">
            <strong>"System prompt"</strong>
            <span class="turn-tokens">{words}</span>
            <button
                type="button"
                aria-label="Edit the system prompt"
                aria-haspopup="dialog"
                on:click=move |_| stores.view.system_shown.set(true)
            >
                "Edit…"
            </button>
        </div>
    }
}
