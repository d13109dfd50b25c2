//! The menu of a message.

use super::message_state::MessageState;
use crate::browser::focus_refs::FocusRefs;
use crate::places::use_places;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::Message;
use sash_ui_kit::{IconName, MenuItem};
use sash_words::t;

/// The items of a message's menu, built when it opens.
#[component]
pub fn MoreItems() -> impl IntoView {
    let kernel = use_kernel();
    let id = MessageState::expect().id;
    let is_sendable = kernel.chats().with_message(id, Message::is_sendable) == Some(true);
    let conversation = FocusRefs::expect().conversation;
    let delete = move || {
        kernel.chats().delete_message(id);
        // The message is removed together with its button.
        page::focus(conversation);
    };
    view! {
        {use_places().message_menu.view()}
        {is_sendable.then(|| view! { <SteerItems /> })}
        <MenuItem icon=IconName::Trash label=t!(common.delete) on_select=delete />
    }
}

/// Pin and mute, for messages that can be sent.
#[component]
fn SteerItems() -> impl IntoView {
    let kernel = use_kernel();
    let MessageState { id, mark, .. } = MessageState::expect();
    let mark = mark.get_untracked();
    view! {
        <MenuItem
            icon=IconName::Pin
            label=t!(transcript.pin_always_sent)
            checked=mark.pinned
            on_select=move || kernel.steering().pin(id, !mark.pinned)
        />
        <MenuItem
            icon=IconName::Mute
            label=t!(transcript.mute_never_sent)
            checked=mark.muted
            on_select=move || kernel.steering().mute(id, !mark.muted)
        />
    }
}

/// Continues an answer, where it can be sent. Empty for other messages.
#[component]
pub fn ContinueItem() -> impl IntoView {
    let kernel = use_kernel();
    let message = MessageState::expect();
    let id = message.id;
    let is_sendable = kernel.chats().with_message(id, Message::is_sendable) == Some(true);
    let off = !untrack(|| kernel.answers().can_send());
    (message.is_answer() && is_sendable).then(|| {
        view! {
            <MenuItem
                icon=IconName::Continue
                label=t!(transcript.continue_this_answer)
                disabled=off
                on_select=move || kernel.answers().continue_answer(id)
            />
        }
    })
}

/// Shows the receipt, and marks its messages. Empty if there is none.
#[component]
pub fn ReceiptItem() -> impl IntoView {
    let view = use_kernel().view();
    let message = MessageState::expect();
    message.receipt.with_untracked(Option::is_some).then(|| {
        view! {
            <MenuItem
                icon=IconName::Details
                label=t!(common.answer_details)
                checked=message.receipt_shown.get_untracked()
                on_select=move || message.toggle_receipt(view)
            />
        }
    })
}
