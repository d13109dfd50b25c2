//! The actions of a message: frequent ones as buttons, visible on hover, on focus, and always on the last
//! message; the others in a menu.

use super::message_state::MessageState;
use super::read_aloud::{ReadAloudItem, StopReadingButton};
use crate::browser::focus_refs::FocusRefs;
use crate::ui::compare::{ask_several, ask_what_if, ask_with, compare_versions};
use crate::ui::parts::{use_copied, words_with_unsaved};
use crate::ui::stores::use_stores;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use sash_browser_kit::clipboard;
use sash_browser_kit::keys::has_keyboard;
use sash_browser_kit::page;
use sash_chat::{Id, Message};
use sash_log::DraftField;
use sash_markdown_view::copy_within;
use sash_ui_kit::{IconButton, IconName, Menu, MenuItem};
use sash_words::t;

/// With more versions of a message, or branches of the chat, there is a map of them.
const MAX_WITHOUT_MAP: usize = 3;

/// The buttons of the message of this row.
#[component]
pub fn MessageActions() -> impl IntoView {
    let message = MessageState::expect();
    let id = message.id;
    view! {
        <div class="actions">
            <Versions />
            <CopyButton />
            <StopReadingButton />
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
    let drafts = use_stores().drafts();
    let MessageState {
        id,
        editing,
        edit_button,
        ..
    } = MessageState::expect();
    let with_unsaved =
        move |action: &str| words_with_unsaved(action, drafts.has_field(DraftField::Edit(id)));
    view! {
        <IconButton
            label=Signal::derive(move || with_unsaved(t!(common.edit)))
            icon=IconName::Pencil
            title=Signal::derive(move || with_unsaved(t!(transcript.edit_another_version)))
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

/// Requests another answer as a further version.
#[component]
fn AskAgainButton() -> impl IntoView {
    let stores = use_stores();
    let id = MessageState::expect().id;
    let prompt = FocusRefs::expect().prompt;
    let ask = move |_| {
        stores.answers().answer_again(id);
        focus_after_asking(prompt);
    };
    view! {
        <IconButton
            label=t!(transcript.ask_again)
            icon=IconName::Again
            title=t!(transcript.ask_again_another_answer_beside_this)
            attr:disabled=move || !stores.answers().can_send()
            on:click=ask
        />
    }
}

/// Copies the message of this row: its source, and rich text if it is shown formatted.
#[component]
fn CopyButton() -> impl IntoView {
    let (icon, announce_copied) = use_copied();
    let MessageState { row, text, .. } = MessageState::expect();
    let copy = move |_| {
        let text = text.get_untracked();
        // Start within the click: a browser allows copying only there.
        let announce_copied = announce_copied.clone();
        let rich = row
            .get_untracked()
            .and_then(|row| copy_within(&row, text.clone()));
        spawn_local(async move {
            let is_copied = match rich {
                Some(copying) => copying.await,
                None => clipboard::copy(text).await,
            };
            announce_copied(is_copied);
        });
    };
    view! { <IconButton label=t!(common.copy) icon on:click=copy /> }
}

/// The buttons that switch between the versions of this row's message; empty if there is only one.
#[component]
fn Versions() -> impl IntoView {
    let stores = use_stores();
    let id = MessageState::expect().id;
    // Nearly all messages have one version, and searching all messages for each of them would be slow.
    let is_fork = move || stores.chats().forks.with(|forks| forks.contains(&id));
    let versions = Memo::new(move |_| match is_fork() {
        true => stores.chats().open_tree().with(|tree| tree.versions(id)),
        false => Vec::new(),
    });
    let count = move || versions.with(Vec::len);
    let position =
        move || versions.with(|all| all.iter().position(|v| *v == id).unwrap_or_default());
    let place = move || format!("{}/{}", position() + 1, count());
    let has_map =
        move || count() > MAX_WITHOUT_MAP || stores.chats().branches.get() > MAX_WITHOUT_MAP;
    let walk = move |step: isize| {
        let all = versions.get_untracked();
        let to = untrack(position).checked_add_signed(step);
        if let Some(to) = to.and_then(|to| all.get(to).copied()) {
            stores.chats().walk_to(to);
            // The row now shows the other version: focus the same button there, or the opposite one at the
            // end.
            let ends = all.first() == Some(&to) || all.last() == Some(&to);
            let newer = (step > 0) != ends;
            page::focus_id_soon(version_button_id(newer, to));
        }
    };
    view! {
        <span>
            <Show when=move || { count() > 1 }>
                <span class="versions" role="group" aria-label=t!(transcript.versions)>
                    <IconButton
                        label=t!(common.previous_version)
                        icon=IconName::Left
                        attr:id=version_button_id(false, id)
                        attr:disabled=move || position() == 0
                        on:click=move |_| walk(-1)
                    />
                    <Show
                        when=has_map
                        fallback=move || view! { <span>{place}</span> }
                    >
                        <button
                            type="button"
                            class="link"
                            title=t!(compare.branches)
                            aria-label=move || {
                                t!(
                                    transcript.map_of_branches,
                                    place = position() + 1,
                                    count = count()
                                )
                            }
                            on:click=move |_| stores.view().branches_shown.set(true)
                        >
                            {place}
                        </button>
                    </Show>
                    <IconButton
                        label=t!(common.next_version)
                        icon=IconName::Right
                        attr:id=version_button_id(true, id)
                        attr:disabled=move || { position() + 1 >= count() }
                        on:click=move |_| walk(1)
                    />
                </span>
            </Show>
        </span>
    }
}

/// The id of the button that leads from a version to the next newer or older one.
fn version_button_id(newer: bool, id: Id) -> String {
    let which = if newer { "newer" } else { "older" };
    format!("{which}-{id}")
}

/// The items of a message's menu, built when it opens.
#[component]
fn MoreItems() -> impl IntoView {
    let stores = use_stores();
    let message = MessageState::expect();
    let id = message.id;
    let is_sendable = stores.chats().with_message(id, Message::is_sendable) == Some(true);
    let conversation = FocusRefs::expect().conversation;
    let delete = move || {
        stores.chats().delete_message(id);
        // The message is removed together with its button.
        page::focus(conversation);
    };
    view! {
        {message.is_answer().then(|| view! { <AnswerItems is_sendable /> })}
        <MenuItem
            icon=IconName::Branch
            label=t!(transcript.fork_from_here)
            on_select=move || _ = stores.versions().fork_chat(id)
        />
        {is_sendable.then(|| view! { <SteerItems /> })}
        <MenuItem icon=IconName::Trash label=t!(common.delete) on_select=delete />
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
            icon=IconName::Pin
            label=t!(transcript.pin_always_sent)
            checked=mark.pinned
            on_select=move || stores.steering().pin(id, !mark.pinned)
        />
        <MenuItem
            icon=IconName::Mute
            label=t!(transcript.mute_never_sent)
            checked=mark.muted
            on_select=move || stores.steering().mute(id, !mark.muted)
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
    let MessageState { id, editing, .. } = MessageState::expect();
    let off = !untrack(|| stores.answers().can_send());
    let is_busy = untrack(|| stores.answers().is_busy(stores.chats().open_id()));
    view! {
        <ReceiptItem />
        <ReadAloudItem />
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
        {untrack(|| stores.chats().forks.with(|forks| forks.contains(&id)))
            .then(|| {
                view! {
                    <MenuItem
                        icon=IconName::Compare
                        label=t!(transcript.compare_the_versions)
                        on_select=move || compare_versions(stores, id)
                    />
                }
            })}
        <MenuItem
            icon=IconName::Pencil
            label=untrack(|| {
                words_with_unsaved(
                    t!(transcript.edit_this_answer),
                    stores.drafts().has_field(DraftField::Edit(id)),
                )
            })
            disabled=is_busy
            on_select=move || editing.set(true)
        />
        <MenuItem
            icon=IconName::Question
            label=t!(transcript.what_if_it_had_read_something)
            disabled=off
            on_select=move || ask_what_if(stores, id)
        />
        {is_sendable
            .then(|| {
                view! {
                    <MenuItem
                        icon=IconName::Continue
                        label=t!(transcript.continue_this_answer)
                        disabled=off
                        on_select=move || stores.answers().continue_answer(id)
                    />
                }
            })}
    }
}

/// Shows the receipt, and marks its messages. Empty if there is none.
#[component]
fn ReceiptItem() -> impl IntoView {
    let view = use_stores().view();
    let message = MessageState::expect();
    message.receipt.with_untracked(Option::is_some).then(|| {
        view! {
            <MenuItem
                icon=IconName::Details
                label=t!(common.what_it_read)
                checked=message.receipt_shown.get_untracked()
                on_select=move || message.toggle_receipt(view)
            />
        }
    })
}
