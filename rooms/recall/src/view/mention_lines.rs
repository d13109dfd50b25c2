//! "The model can't see this": the line above the composer.

use crate::Recalls;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::excerpt;
use sash_search::mention::Mention;
use sash_stores::hooks::Command;
use sash_ui_kit::{IconButton, IconName};
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::stores::use_kernel;
use sash_words::t;
use web_sys::KeyboardEvent;

/// Recalls the message that is suggested.
#[must_use]
pub fn include_command() -> Command {
    let recalls = Recalls::expect();
    let words = || t!(recall.include_the_suggested_message);
    let command = Command::new("include-suggestion", words, move || {
        _ = recalls.accept_offer();
    });
    let can = move || recalls.offered().is_some();
    command.with_keys("alt+i").when(can)
}

/// The offer of a message that the draft refers to. Empty without one.
#[component]
pub fn MentionLines() -> impl IntoView {
    let recalls = Recalls::expect();
    let offered = Memo::new(move |_| recalls.offered());

    view! {
        <div class="mentions">
            <For
                each=move || offered.get()
                key=|offer| (offer.id, offer.words.clone())
                let:offer
            >
                <MentionOffer offer />
            </For>
        </div>
    }
}

/// The message, offered to be recalled for this prompt.
#[component]
fn MentionOffer(
    /// The message, and the words that matched.
    offer: Mention,
) -> impl IntoView {
    let kernel = use_kernel();
    let recalls = Recalls::expect();
    let prompt = FocusRefs::expect().prompt;
    let Mention { id, words } = offer;
    let message = kernel.chats().message(id);
    let quoted = message
        .map(|message| excerpt(&message, &words))
        .unwrap_or_default();
    let back = kernel.chats().path.with_untracked(|path| {
        let later = path.iter().rev().take_while(|other| **other != id);
        later.count() + 1
    });
    let back = match back {
        1 => t!(recall.last_message).to_owned(),
        n => t!(recall.messages_back, n = &n),
    };
    let keys = move || kernel.commands().keys("include-suggestion");
    let include = move |_| {
        recalls.accept_offer();
        page::focus(prompt);
    };
    let never = move |_| {
        kernel.steering().stop_offers();
        page::focus(prompt);
    };
    let on_keydown = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            recalls.dismiss_offer(id);
        }
    };

    view! {
        <div class="mention" role="group" aria-label=t!(recall.suggestion) on:keydown=on_keydown>
            <span>
                {t!(recall.suggestion_title)}
                " "
                <button
                    type="button"
                    class="link"
                    title=t!(recall.show_in_chat)
                    dir="auto"
                    on:click=move |_| kernel.view().reveal(id)
                >
                    {format!("“{quoted}”")}
                </button>
                {format!(" ({back})")}
            </span>
            <button type="button" aria-keyshortcuts=move || Some(keys()).filter(|keys| !keys.is_empty()) on:click=include>
                {t!(recall.include_it)}
                " "
                <kbd>{keys}</kbd>
            </button>
            <button
                type="button"
                class="link"
                title=t!(recall.stop_suggesting_hint)
                on:click=never
            >
                {t!(recall.dont_suggest_any)}
            </button>
            <IconButton
                label=t!(recall.decline_suggestion)
                icon=IconName::Close
                on:click=move |_| recalls.dismiss_offer(id)
            />
        </div>
    }
}
