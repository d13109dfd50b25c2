//! The button that copies a message.

use crate::browser::clipboard;
use crate::ui::markdown::copy_beside;
use crate::ui::parts::{IconButton, IconName};
use crate::ui::stores::use_stores;
use crate::ui::transcript::message_state::MessageState;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// Copies the message of this row: its source, and rich text if it is shown formatted.
#[component]
pub fn CopyButton() -> impl IntoView {
    let stores = use_stores();
    let MessageState { id, text, .. } = MessageState::expect();
    let copy = move |_| {
        let text = text.get_untracked();
        // Start within the click: a browser allows copying only there.
        let rich = copy_beside(&format!("h-{id}"), text.clone());
        spawn_local(async move {
            let copied = match rich {
                Some(copying) => copying.await,
                None => clipboard::copy(text).await,
            };
            stores.notices.announce_copied(copied);
        });
    };
    view! { <IconButton label="Copy" icon=IconName::Copy on:click=copy /> }
}
