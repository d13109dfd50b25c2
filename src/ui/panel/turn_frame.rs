//! The frame around a message of the next request.

use super::role_words;
use crate::ui::parts::grouped;
use leptos::prelude::*;
use sash_chat::Role;

/// The frame of a message: its role, why it is sent, and its estimated number of tokens.
#[component]
pub fn TurnFrame(
    /// The role.
    role: Role,
    /// Why the message is sent, and other notes.
    notes: Vec<String>,
    /// The estimated number of tokens.
    tokens: Signal<u64>,
    /// What it is, where that is not its role.
    #[prop(default = None)]
    title: Option<&'static str>,
    /// Whether it contains the draft.
    #[prop(optional)]
    draft: bool,
    /// Its text.
    children: Children,
) -> impl IntoView {
    let chips = notes.into_iter().map(|note| {
        let is_warning = note == "question not sent";
        view! {
            <span class="chip" class:chip-warning=is_warning>
                {note}
            </span>
        }
    });
    let tokens = move || match tokens.get() {
        1 => "about 1 token".to_owned(),
        n => format!("about {} tokens", grouped(n)),
    };

    view! {
        <li class="turn" class:turn-draft=draft data-role=role.as_str()>
            <p class="turn-head">
                <strong>{title.unwrap_or_else(|| role_words(role))}</strong>
                {chips.collect_view()}
                <span class="turn-tokens">{tokens}</span>
            </p>
            {children()}
        </li>
    }
}
