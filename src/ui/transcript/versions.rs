//! `‹ 2/2 ›`: the versions of a message, each with its own continuation.

use super::message_state::MessageState;
use crate::browser::page;
use crate::ui::parts::{IconButton, IconName};
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// The buttons that switch between the versions of this row's message; empty if there is only one.
#[component]
pub fn Versions() -> impl IntoView {
    let stores = use_stores();
    let id = MessageState::expect().id;
    // Nearly all messages have one version, and searching all messages for each of them would be slow.
    let is_fork = move || stores.chats.forks.with(|forks| forks.contains(&id));
    let versions = Memo::new(move |_| match is_fork() {
        true => stores.chats.open.with(|chat| chat.versions(id)),
        false => Vec::new(),
    });
    let count = move || versions.with(Vec::len);
    let position =
        move || versions.with(|all| all.iter().position(|v| *v == id).unwrap_or_default());
    let walk = move |step: isize| {
        let all = versions.get_untracked();
        let to = untrack(position).checked_add_signed(step);
        if let Some(to) = to.and_then(|to| all.get(to).copied()) {
            stores.chats.walk_to(to);
            // The row now shows the other version: focus the same button there, or the opposite one at the
            // end.
            let ends = all.first() == Some(&to) || all.last() == Some(&to);
            let newer = (step > 0) != ends;
            page::focus_soon(format!("{}-{to}", if newer { "newer" } else { "older" }));
        }
    };
    view! {
        <span>
            <Show when=move || { count() > 1 }>
                <span class="versions" role="group" aria-label="Versions">
                    <IconButton
                        label="Previous version"
                        icon=IconName::Left
                        attr:id=format!("older-{id}")
                        attr:disabled=move || position() == 0
                        on:click=move |_| walk(-1)
                    />
                    <span>{move || format!("{}/{}", position() + 1, count())}</span>
                    <IconButton
                        label="Next version"
                        icon=IconName::Right
                        attr:id=format!("newer-{id}")
                        attr:disabled=move || { position() + 1 >= count() }
                        on:click=move |_| walk(1)
                    />
                </span>
            </Show>
        </span>
    }
}
