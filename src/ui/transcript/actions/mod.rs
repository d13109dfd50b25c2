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

/// The row of buttons of the message around.
#[component]
pub fn MessageActions() -> impl IntoView {
    let message = MessageState::expect();
    let id = message.id;
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
