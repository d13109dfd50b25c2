//! The less frequent actions of a message.

use crate::browser::page;
use crate::ui::compare::ask_what_if;
use crate::ui::parts::MenuItem;
use crate::ui::stores::use_stores;
use crate::ui::transcript::message_state::MessageState;
use leptos::prelude::*;
use sash_chat::Message;

/// The items of a message's menu, built when it opens.
#[component]
pub fn MoreItems() -> impl IntoView {
    let stores = use_stores();
    let message = MessageState::expect();
    let id = message.id;
    let is_sendable = stores.chats.with_message(id, Message::is_sendable) == Some(true);
    let delete = move || {
        stores.chats.delete_message(id);
        // The message is removed together with its button.
        page::focus("conversation");
    };
    view! {
        {message.is_answer().then(|| view! { <AnswerItems is_sendable /> })}
        {is_sendable.then(|| view! { <SteerItems /> })}
        <MenuItem label="Delete" on_select=delete />
    }
}

/// Pin and mute, for messages that can be sent.
#[component]
fn SteerItems() -> impl IntoView {
    let stores = use_stores();
    let MessageState { id, mark, .. } = MessageState::expect();
    let mark = mark.get_untracked();
    view! {
        <MenuItem
            label="Pin: always sent"
            checked=mark.pinned
            on_select=move || stores.steering.pin(id, !mark.pinned)
        />
        <MenuItem
            label="Mute: never sent"
            checked=mark.muted
            on_select=move || stores.steering.mute(id, !mark.muted)
        />
    }
}

/// The receipt of an answer, and other ways to ask again.
#[component]
fn AnswerItems(
    /// Whether the answer can be sent, and so be continued.
    is_sendable: bool,
) -> impl IntoView {
    let stores = use_stores();
    let id = MessageState::expect().id;
    let off = !untrack(|| stores.answers.may_ask());
    view! {
        <ReceiptItem />
        <MenuItem
            label="What if it had read something else…"
            disabled=off
            on_select=move || ask_what_if(stores, id)
        />
        {is_sendable
            .then(|| {
                view! {
                    <MenuItem
                        label="Continue this answer"
                        disabled=off
                        on_select=move || stores.answers.continue_answer(id)
                    />
                }
            })}
    }
}

/// Shows the receipt, and marks its messages. Empty if there is none.
#[component]
fn ReceiptItem() -> impl IntoView {
    let stores = use_stores();
    let MessageState {
        id,
        receipt,
        receipt_shown,
        ..
    } = MessageState::expect();
    let receipt = receipt.get_untracked()?;
    let toggle = move || {
        let named = || (id, receipt.sent.clone());
        let shows = !receipt_shown.get_untracked();
        stores.view.read_by.set(shows.then(named));
    };
    Some(view! {
        <MenuItem label="What it read" checked=receipt_shown.get_untracked() on_select=toggle />
    })
}
