//! An answer of one's own, and a chat of one's own, in the menu of a message.

use crate::fork_chat;
use leptos::prelude::*;
use sash_log::DraftField;
use sash_ui_kit::{IconName, MenuItem};
use sash_view::parts::words_with_unsaved;
use sash_view::stores::use_kernel;
use sash_view::transcript::MessageState;
use sash_words::t;

/// Opens the field of an answer. Empty for other messages.
#[component]
pub fn EditAnswerItem() -> impl IntoView {
    let kernel = use_kernel();
    let message = MessageState::expect();
    let is_busy = untrack(|| kernel.answers().is_busy(kernel.chats().open_id()));
    message.is_answer().then(|| {
        view! {
            <MenuItem
                icon=IconName::Pencil
                label=untrack(|| {
                    words_with_unsaved(kernel.drafts(), t!(versions.edit_this_answer), DraftField::Edit(message.id))
                })
                disabled=is_busy
                on_select=move || message.editing.set(true)
            />
        }
    })
}

/// Begins a chat with what is said up to the message.
#[component]
pub fn ForkItem() -> impl IntoView {
    let kernel = use_kernel();
    let id = MessageState::expect().id;

    view! {
        <MenuItem
            icon=IconName::Branch
            label=t!(versions.fork_from_here)
            on_select=move || _ = fork_chat(kernel, id)
        />
    }
}
