//! A message that a receipt names.

use crate::ui::panel::role_words;
use crate::ui::parts::plural;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::{Id, Message};

/// The most characters of a message that are shown.
const EXCERPT_CHARS: usize = 80;

/// The message in short, with a link to it if it is in the transcript.
#[component]
pub fn SentMessage(
    /// The message.
    id: Id,
) -> impl IntoView {
    let stores = use_stores();
    let Some(message) = stores.chats.message(id) else {
        return view! { <span>"A message that has been deleted"</span> }.into_any();
    };
    let words = excerpt(&message);
    if stores.chats.path.with_untracked(|path| path.contains(&id)) {
        view! {
            <button type="button" class="link" on:click=move |_| stores.view.reveal(id)>
                {words}
            </button>
        }
        .into_any()
    } else {
        view! { <span>{words} " (on another branch)"</span> }.into_any()
    }
}

/// The author of a message, and the beginning of its first line.
fn excerpt(message: &Message) -> String {
    let text = message.content.trim();
    let line = text.lines().next().unwrap_or_default();
    let mut words = format!("{}: ", role_words(message.role));
    words.extend(line.chars().take(EXCERPT_CHARS));
    if line.chars().nth(EXCERPT_CHARS).is_some() || line.len() < text.len() {
        words.push('…');
    }
    if !message.images.is_empty() {
        words += &format!(" ({})", plural(message.images.len(), "image"));
    }
    words
}
