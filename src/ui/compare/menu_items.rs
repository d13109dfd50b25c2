//! Other ways to ask again, in the menu of an answer.

use super::{ask_several, ask_what_if, ask_with, compare_versions};
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_ui_kit::{IconName, MenuItem};
use sash_view::transcript::MessageState;
use sash_words::t;

/// Other models for the question of an answer, and its versions side by side. Empty for other messages.
#[component]
pub fn OtherModelItems() -> impl IntoView {
    let stores = use_stores();
    let kernel = stores.kernel();
    let message = MessageState::expect();
    let id = message.id;
    let off = !untrack(|| kernel.answers().can_send());
    message.is_answer().then(|| {
        view! {
            <MenuItem
                icon=IconName::Again
                label=t!(transcript.ask_again_with)
                disabled=off
                on_select=move || ask_with(stores, id)
            />
            <MenuItem
                icon=IconName::Columns
                label=t!(transcript.ask_several_models)
                disabled=off
                on_select=move || ask_several(stores, Some(id))
            />
            {untrack(|| kernel.chats().forks.with(|forks| forks.contains(&id)))
                .then(|| {
                    view! {
                        <MenuItem
                            icon=IconName::Compare
                            label=t!(transcript.compare_the_versions)
                            on_select=move || compare_versions(stores, id)
                        />
                    }
                })}
        }
    })
}

/// Another window for the question of an answer. Empty for other messages.
#[component]
pub fn WhatIfItem() -> impl IntoView {
    let stores = use_stores();
    let message = MessageState::expect();
    let off = !untrack(|| stores.kernel().answers().can_send());
    message.is_answer().then(|| {
        view! {
            <MenuItem
                icon=IconName::Question
                label=t!(transcript.what_if_it_had_read_something)
                disabled=off
                on_select=move || ask_what_if(stores, message.id)
            />
        }
    })
}
