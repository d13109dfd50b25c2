//! Another window for a question.

use crate::ui::session::{Other, Session, WhatIf};
use leptos::prelude::*;
use sash_chat::Id;

/// Another window for the question: a button that asks with it.
#[component]
pub fn WindowOption(
    /// The answer whose question is asked again.
    answer: Id,
    /// The window.
    other: Other,
    /// What it is called.
    name: String,
    /// How many messages it has, in words; nothing where that is said by its name.
    count: String,
) -> impl IntoView {
    let session = expect_context::<Session>();
    let ask = move |_| {
        if !session.try_other(answer, other) && !untrack(|| session.may_ask()) {
            session.what_if.set(WhatIf::Closed);
        }
    };

    view! {
        <li>
            <button type="button" class="choice" on:click=ask>
                <span dir="auto">{name}</span>
                " "
                <span class="count">{count}</span>
            </button>
        </li>
    }
}
