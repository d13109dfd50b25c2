//! The ways to other answers: in the menu of an answer, where one failed, in the model picker, and as a command.

use crate::{Compare, Comparison};
use leptos::prelude::*;
use sash_chat::Outcome;
use sash_stores::AnswerState;
use sash_stores::hooks::Command;
use sash_ui_kit::{IconName, MenuItem};
use sash_view::places::{FindPickerActions, PickerAction};
use sash_view::stores::use_kernel;
use sash_view::transcript::MessageState;
use sash_wire::Fault;
use sash_words::t;
use std::sync::Arc;

/// Other models for the question of an answer, and its versions side by side. Empty for other messages.
#[component]
pub fn OtherModelItems() -> impl IntoView {
    let (kernel, compare) = (use_kernel(), Compare::expect());
    let message = MessageState::expect();
    let id = message.id;
    let off = !untrack(|| kernel.answers().can_send());
    let has_versions = untrack(|| kernel.chats().forks.with(|forks| forks.contains(&id)));
    let sides = move |question| Comparison::Sides {
        question,
        opened_at: Some(id),
    };
    message.is_answer().then(|| {
        view! {
            <MenuItem
                icon=IconName::Again
                label=t!(compare.ask_again_with)
                disabled=off
                on_select=move || compare.open(id, |_| Comparison::OtherModel(id))
            />
            <MenuItem
                icon=IconName::Columns
                label=t!(compare.ask_several)
                disabled=off
                on_select=move || compare.open(id, |_| Comparison::Models(Some(id)))
            />
            {has_versions
                .then(|| {
                    view! {
                        <MenuItem
                            icon=IconName::Compare
                            label=t!(compare.compare_the_versions)
                            on_select=move || compare.open(id, sides)
                        />
                    }
                })}
        }
    })
}

/// Another window for the question of an answer. Empty for other messages.
#[component]
pub fn WhatIfItem() -> impl IntoView {
    let (kernel, compare) = (use_kernel(), Compare::expect());
    let message = MessageState::expect();
    let id = message.id;
    let off = !untrack(|| kernel.answers().can_send());
    message.is_answer().then(|| {
        view! {
            <MenuItem
                icon=IconName::Question
                label=t!(compare.what_if_offer)
                disabled=off
                on_select=move || compare.choose_window(id)
            />
        }
    })
}

/// Opens the list of the models with which the question can be asked again, where an answer failed. Empty where that does not
/// help.
#[component]
pub fn OtherModel() -> impl IntoView {
    let (kernel, compare) = (use_kernel(), Compare::expect());
    let MessageState { id, state, .. } = MessageState::expect();
    let code = match state.get_untracked() {
        AnswerState::Ended(Outcome::Failed(failure)) => failure.code.unwrap_or_default(),
        // It has no text.
        AnswerState::Ended(Outcome::Complete) => Fault::MODEL_NOT_FOUND.to_owned(),
        _ => return None,
    };
    let is_full = code == Fault::OUT_OF_MEMORY;
    let helps = is_full || code == Fault::MODEL_NOT_FOUND || Fault::wants_another_model(&code);
    let label = match is_full {
        true => t!(compare.choose_smaller_model),
        false => t!(compare.choose_another_model),
    };

    helps.then(|| {
        view! {
            <button
                type="button"
                class="link"
                disabled=move || !kernel.answers().can_send()
                on:click=move |_| compare.open(id, |_| Comparison::OtherModel(id))
            >
                {label}
            </button>
        }
    })
}

/// Asks the draft of several models.
pub fn several_command() -> Command {
    let (kernel, compare) = (use_kernel(), Compare::expect());
    let can = move || kernel.engine().models.with(Vec::len) > 1 && kernel.answers().can_send();
    let ask = move || compare.shown.set(Comparison::Models(None));
    Command::new("ask-several", || t!(compare.ask_several), ask).when(can)
}

/// Offers several models in the model picker, where there are.
pub fn picker_actions() -> FindPickerActions {
    let (kernel, compare) = (use_kernel(), Compare::expect());
    Arc::new(move |search| {
        let has_several = search.is_empty() && kernel.engine().models.with(Vec::len) > 1;
        let ask = move || compare.shown.set(Comparison::Models(None));
        let action = || PickerAction::new(IconName::Columns, t!(compare.ask_several), ask);
        has_several.then(action).into_iter().collect()
    })
}
