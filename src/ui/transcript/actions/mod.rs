//! The actions of a message: frequent ones as buttons, visible on hover, on focus, and always on the last
//! message; the others in a menu.

mod copy_button;
mod more_items;

use super::message_state::MessageState;
use super::versions::Versions;
use crate::ui::parts::{IconButton, IconName, Menu};
use crate::ui::stores::use_stores;
use copy_button::CopyButton;
use leptos::prelude::*;
use more_items::MoreItems;

/// The buttons of the message of this row.
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

/// Opens the edit field of the question.
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

/// Requests another answer as a further version.
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
