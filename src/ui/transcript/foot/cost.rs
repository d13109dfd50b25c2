//! What a message costs.

use crate::ui::composer::plural;
use crate::ui::stores::use_stores;
use crate::ui::transcript::message_state::MessageState;
use leptos::prelude::*;
use sash_chat::Message;
use sash_chat::window::Size;

/// The tokens of the message around, once the pointer or focus came near. Nothing where it is never sent.
#[component]
pub fn Cost() -> impl IntoView {
    let stores = use_stores();
    let MessageState { id, near, .. } = MessageState::expect();
    let message = stores.chats.message(id).filter(Message::is_sendable)?;
    let size = Size::of_message(&message);
    let words = move || {
        let tokens = stores.steering.estimate.get().part(size);
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
