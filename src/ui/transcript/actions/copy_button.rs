//! Copies a message.

use crate::browser::clipboard;
use crate::ui::markdown::copy_beside;
use crate::ui::parts::{IconButton, IconName};
use crate::ui::stores::use_stores;
use crate::ui::transcript::message_state::MessageState;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// Copies the message around: as it was written, and as rich text where it is shown as such.
#[component]
pub fn CopyButton() -> impl IntoView {
    let stores = use_stores();
    let MessageState { id, text, .. } = MessageState::expect();
    let copy = move |_| {
        let text = text.get_untracked();
        // Begun in the click itself: a browser allows it nowhere else.
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
