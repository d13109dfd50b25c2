//! The button that copies a message.

use crate::browser::clipboard;
use crate::ui::markdown::copy_beside;
use crate::ui::parts::{Copied, IconButton};
use crate::ui::transcript::message_state::MessageState;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// Copies the message of this row: its source, and rich text if it is shown formatted.
#[component]
pub fn CopyButton() -> impl IntoView {
    let copied = Copied::new();
    let MessageState { id, text, .. } = MessageState::expect();
    let copy = move |_| {
        let text = text.get_untracked();
        // Start within the click: a browser allows copying only there.
        let rich = copy_beside(&format!("h-{id}"), text.clone());
        spawn_local(async move {
            let is_copied = match rich {
                Some(copying) => copying.await,
                None => clipboard::copy(text).await,
            };
            copied.note(is_copied);
        });
    };
    view! { <IconButton label="Copy" icon=copied.icon() on:click=copy /> }
}
