//! Another window for a question.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::Id;
use sash_state::{OtherWindow, WhatIfState};

/// A button that asks the question with another window.
#[component]
pub fn WindowOption(
    /// The answer whose question is asked again.
    answer: Id,
    /// The window.
    other: OtherWindow,
    /// Its name.
    name: String,
    /// The number of messages in words; empty where the name already says it.
    count: String,
) -> impl IntoView {
    let stores = use_stores();
    let ask = move |_| {
        if !stores.what_if.try_other(answer, other) && !untrack(|| stores.answers.may_ask()) {
            stores.what_if.state.set(WhatIfState::Closed);
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
