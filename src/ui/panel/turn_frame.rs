//! The frame around a message of the next request.

use super::role_words;
use crate::ui::parts::grouped;
use leptos::prelude::*;
use sash_chat::Role;

/// The frame of a message: who speaks, why it goes, and about how many tokens it has.
#[component]
pub fn TurnFrame(
    /// Who speaks.
    role: Role,
    /// Why it goes, and what is to be known of it.
    notes: Vec<String>,
    /// How many tokens it has, as estimated.
    tokens: Signal<u64>,
    /// Whether the draft is in it.
    #[prop(optional)]
    draft: bool,
    /// What it says.
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
                <strong>{role_words(role)}</strong>
                {chips.collect_view()}
                <span class="turn-tokens">{tokens}</span>
            </p>
            {children()}
        </li>
    }
}
