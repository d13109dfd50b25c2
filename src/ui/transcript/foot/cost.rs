//! The cost of a message.

use crate::ui::parts::plural;
use crate::ui::stores::use_stores;
use crate::ui::transcript::message_state::MessageState;
use leptos::prelude::*;
use sash_chat::Message;
use sash_chat::window::Size;

/// The tokens of this row's message, shown once the pointer or focus comes near. Empty if it is never sent.
#[component]
pub fn Cost() -> impl IntoView {
    let stores = use_stores();
    let MessageState { id, near, .. } = MessageState::expect();
    stores
        .chats
        .with_message(id, Message::is_sendable)
        .filter(|is| *is)?;
    let words = move || {
        let size = stores.chats.open.with(|chat| {
            let message = chat.get(id)?;
            Some(Size::of_message(message, chat.head.sends_recalled(message)))
        });
        let tokens = stores
            .steering
            .estimate
            .get()
            .part(size.unwrap_or_default());
        format!("about {}", plural(tokens as usize, "token"))
    };
    Some(view! {
        <span class="cost">
            <Show when=move || near.get()>
                <span>{words}</span>
            </Show>
        </span>
    })
}
