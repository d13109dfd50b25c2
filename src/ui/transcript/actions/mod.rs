//! What can be done with a message: what is done often as buttons, there on hover, on focus, and always on the last
//! message; all else in a menu, in words.

mod copy_button;
mod more_items;

use super::message_state::MessageState;
use super::versions::Versions;
use crate::ui::parts::{IconButton, IconName, Menu};
use crate::ui::stores::use_stores;
use copy_button::CopyButton;
use leptos::prelude::*;
use more_items::MoreItems;
use sash_chat::Id;

/// The row of buttons of the message around.
#[component]
pub fn MessageActions() -> impl IntoView {
    let message = MessageState::expect();
    let id = message.id;
    close_with_next_receipt(id, message.receipt_shown);
    view! {
        <div class="actions">
            <Versions />
            <CopyButton />
            {match message.is_answer() {
                true => view! { <AskAgainButton /> }.into_any(),
                false => view! { <EditButton /> }.into_any(),
            }}
            <Menu label="More" id=format!("more-{id}")>
                <MoreItems />
            </Menu>
        </div>
    }
}

/// Opens the question as a field.
#[component]
fn EditButton() -> impl IntoView {
    let MessageState { id, editing, .. } = MessageState::expect();
    view! {
        <IconButton
            label="Edit"
            icon=IconName::Pencil
            title="Edit: another version beside this one"
            attr:id=format!("edit-{id}-button")
            on:click=move |_| editing.set(true)
        />
    }
}

/// Asks for another answer beside this one.
#[component]
fn AskAgainButton() -> impl IntoView {
    let stores = use_stores();
    let id = MessageState::expect().id;
    view! {
        <IconButton
            label="Ask again"
            icon=IconName::Again
            title="Ask again: another answer beside this one"
            attr:disabled=move || !stores.answers.may_ask()
            on:click=move |_| stores.answers.answer_again(id)
        />
    }
}

/// Closes the receipt of a message when another one is opened: one at a time marks its messages.
fn close_with_next_receipt(id: Id, shown: RwSignal<bool>) {
    let stores = use_stores();
    Effect::new(move || {
        let read_by =
            |read: &Option<(Id, Vec<Id>)>| read.as_ref().is_some_and(|(reader, _)| *reader == id);
        if !stores.view.read_by.with(read_by) && shown.get_untracked() {
            shown.set(false);
        }
    });
}
