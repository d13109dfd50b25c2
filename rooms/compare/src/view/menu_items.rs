//! Other ways to ask again, in the menu of an answer.

use crate::{SideBySide, WhatIf};
use leptos::prelude::*;
use sash_ui_kit::{IconName, MenuItem};
use sash_view::stores::use_kernel;
use sash_view::transcript::MessageState;
use sash_words::t;

/// Other models for the question of an answer, and its versions side by side. Empty for other messages.
#[component]
pub fn OtherModelItems() -> impl IntoView {
    let (kernel, side_by_side) = (use_kernel(), SideBySide::expect());
    let message = MessageState::expect();
    let id = message.id;
    let off = !untrack(|| kernel.answers().can_send());
    message.is_answer().then(|| {
        view! {
            <MenuItem
                icon=IconName::Again
                label=t!(compare.ask_again_with)
                disabled=off
                on_select=move || side_by_side.choose_other(id)
            />
            <MenuItem
                icon=IconName::Columns
                label=t!(compare.ask_several)
                disabled=off
                on_select=move || side_by_side.choose_several(Some(id))
            />
            {untrack(|| kernel.chats().forks.with(|forks| forks.contains(&id)))
                .then(|| {
                    view! {
                        <MenuItem
                            icon=IconName::Compare
                            label=t!(compare.compare_the_versions)
                            on_select=move || side_by_side.compare_versions(id)
                        />
                    }
                })}
        }
    })
}

/// Another window for the question of an answer. Empty for other messages.
#[component]
pub fn WhatIfItem() -> impl IntoView {
    let (kernel, what_if) = (use_kernel(), WhatIf::expect());
    let message = MessageState::expect();
    let off = !untrack(|| kernel.answers().can_send());
    message.is_answer().then(|| {
        view! {
            <MenuItem
                icon=IconName::Question
                label=t!(compare.what_if_it_had_read_something)
                disabled=off
                on_select=move || what_if.choose(message.id)
            />
        }
    })
}
