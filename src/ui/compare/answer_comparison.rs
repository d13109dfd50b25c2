//! Comparison of two answers to one question.

use super::compared_answer::ComparedAnswer;
use super::differences::Differences;
use crate::browser::page;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::Id;
use sash_state::WhatIfState;

/// Two answers to one question side by side, before the person keeps one.
#[component]
pub fn AnswerComparison(
    /// The answer on the branch.
    first: Id,
    /// The answer with the other window.
    second: Id,
) -> impl IntoView {
    let stores = use_stores();
    let close = move || stores.what_if.state.set(WhatIfState::Closed);
    let keep_second = move || {
        stores.chats.walk_to(second);
        close();
        // The element that opened the dialog went with its branch.
        page::focus_soon("prompt".to_owned());
    };

    view! {
        <Differences all=stores.what_if.differences.get_untracked() />
        <div class="sides">
            <ComparedAnswer
                title="The answer so far"
                id=first
                other=second
                on_keep=move |()| close()
            />
            <ComparedAnswer
                title="The other answer"
                id=second
                other=first
                on_keep=move |()| keep_second()
            />
        </div>
    }
}
