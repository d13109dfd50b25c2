//! The actions of a message: frequent ones as buttons, visible on hover, on focus, and always on the last
//! message; the others in a menu.

use super::menu::MoreItems;
use super::message_state::MessageState;
use crate::browser::focus_refs::FocusRefs;
use crate::parts::{use_copied, words_with_unsaved};
use crate::places::use_places;
use crate::stores::use_kernel;
use leptos::html;
use leptos::prelude::*;
use sash_browser_kit::clipboard;
use sash_browser_kit::keys::has_keyboard;
use sash_browser_kit::page;
use sash_log::DraftField;
use sash_markdown_view::copy_within;
use sash_ui_kit::{IconButton, IconName, Menu};
use sash_words::t;
use web_sys::MouseEvent;

/// The buttons of the message of this row.
#[component]
pub fn MessageActions() -> impl IntoView {
    let message = MessageState::expect();
    let id = message.id;
    view! {
        <div class="actions">
            {use_places().message_actions.view()}
            {match message.is_answer() {
                true => view! { <AskAgainButton /> }.into_any(),
                false => view! { <EditButton /> }.into_any(),
            }}
            <Menu label=t!(common.more) id=format!("more-{id}") open=message.menu_open>
                <MoreItems />
            </Menu>
        </div>
    }
}

/// Opens the edit field of the question.
#[component]
fn EditButton() -> impl IntoView {
    let drafts = use_kernel().drafts();
    let MessageState {
        id,
        editing,
        edit_button,
        ..
    } = MessageState::expect();
    let with_unsaved = move |action: &str| words_with_unsaved(drafts, action, DraftField::Edit(id));
    view! {
        <IconButton
            label=Signal::derive(move || with_unsaved(t!(common.edit)))
            icon=IconName::Pencil
            title=Signal::derive(move || with_unsaved(t!(transcript.edit_hint)))
            button_ref=edit_button
            on:click=move |_| editing.set(true)
        />
    }
}

/// Moves focus to the prompt field, as after Send: the row of the button shows another answer, and focus would be lost
/// with it. Not where that would open an on-screen keyboard.
pub fn focus_after_asking(prompt: NodeRef<html::Textarea>) {
    if has_keyboard() {
        page::focus(prompt);
    }
}

/// Asks again for the answer of this row.
pub fn use_ask_again() -> impl Fn(MouseEvent) + Copy {
    let answers = use_kernel().answers();
    let id = MessageState::expect().id;
    let prompt = FocusRefs::expect().prompt;
    move |_| {
        answers.answer_again(id);
        focus_after_asking(prompt);
    }
}

/// Requests another answer as a further version.
#[component]
fn AskAgainButton() -> impl IntoView {
    let kernel = use_kernel();
    view! {
        <IconButton
            label=t!(transcript.ask_again)
            icon=IconName::Again
            title=t!(transcript.ask_again_hint)
            attr:disabled=move || !kernel.answers().can_send()
            on:click=use_ask_again()
        />
    }
}

/// Copies the message of this row: its source, and rich text if it is shown formatted.
#[component]
pub fn CopyButton() -> impl IntoView {
    let (icon, follow) = use_copied();
    let MessageState { row, text, .. } = MessageState::expect();
    let copy = move |_| {
        let text = text.get_untracked();
        // Start within the click: a browser allows copying only there.
        let rich = row
            .get_untracked()
            .and_then(|row| copy_within(&row, text.clone()));
        match rich {
            Some(copying) => follow(Box::pin(copying)),
            None => follow(Box::pin(clipboard::copy(text))),
        }
    };
    view! { <IconButton label=t!(common.copy) icon on:click=copy /> }
}
