//! Offers a message that the draft refers to and the model would not see.

use super::message_quote::MessageQuote;
use crate::browser::page;
use crate::ui::parts::{IconButton, IconName};
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_search::mention::Mention;
use web_sys::KeyboardEvent;

/// Whether a key press is Alt+I, by its character or its physical key: with Alt, some keyboards produce other
/// characters.
pub fn is_include_key(event: &KeyboardEvent) -> bool {
    event.alt_key() && !event.ctrl_key() && (event.key() == "i" || event.code() == "KeyI")
}

/// The message, offered to be recalled for this prompt.
#[component]
pub fn MentionOffer(
    /// The message, and the words that matched.
    offer: Mention,
) -> impl IntoView {
    let stores = use_stores();
    let Mention { id, words, .. } = offer;
    let back = stores.chats.path.with_untracked(|path| {
        let later = path.iter().rev().take_while(|other| **other != id);
        later.count() + 1
    });
    let back = match back {
        1 => "the last message".to_owned(),
        n => format!("{n} messages back"),
    };
    let include = move |_| {
        stores.mentions.take_offer();
        page::focus("prompt");
    };
    let never = move |_| {
        stores.steering.stop_offers();
        page::focus("prompt");
    };
    let on_keydown = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            stores.mentions.dismiss_offer(id);
        }
    };

    view! {
        <div class="mention" role="group" aria-label="Suggestion" on:keydown=on_keydown>
            <span>
                <MessageQuote label="The model can't see this:" id found=words />
                {format!(" ({back})")}
            </span>
            <button type="button" aria-keyshortcuts="Alt+I" on:click=include>
                "Include it "
                <kbd>"Alt+I"</kbd>
            </button>
            <button
                type="button"
                class="link"
                title="Suggest no older messages any more; the list of rules turns it on again"
                on:click=never
            >
                "Don’t suggest any"
            </button>
            <IconButton
                label="Not for this prompt"
                icon=IconName::Close
                on:click=move |_| stores.mentions.dismiss_offer(id)
            />
        </div>
    }
}
