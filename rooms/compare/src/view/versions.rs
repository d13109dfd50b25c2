//! The versions of a message.

use crate::Compare;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::Id;
use sash_ui_kit::{IconButton, IconName};
use sash_view::stores::use_kernel;
use sash_view::transcript::MessageState;
use sash_words::t;

/// With more versions of a message, or branches of the chat, there is a map of them.
const MAX_WITHOUT_MAP: usize = 3;

/// The buttons that switch between the versions of this row's message; empty if there is only one.
#[component]
pub fn Versions() -> impl IntoView {
    let (kernel, compare) = (use_kernel(), Compare::expect());
    let id = MessageState::expect().id;
    // Nearly all messages have one version, and searching all messages for each of them would be slow.
    let is_fork = move || kernel.chats().forks.with(|forks| forks.contains(&id));
    let versions = Memo::new(move |_| match is_fork() {
        true => kernel.chats().open_tree().with(|tree| tree.versions(id)),
        false => Vec::new(),
    });
    let count = move || versions.with(Vec::len);
    let position =
        move || versions.with(|all| all.iter().position(|v| *v == id).unwrap_or_default());
    let place = move || format!("{}/{}", position() + 1, count());
    let has_map = move || count() > MAX_WITHOUT_MAP || compare.branches.get() > MAX_WITHOUT_MAP;
    let walk = move |step: isize| {
        let all = versions.get_untracked();
        let to = untrack(position).checked_add_signed(step);
        if let Some(to) = to.and_then(|to| all.get(to).copied()) {
            kernel.chats().walk_to(to);
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
                <span class="versions" role="group" aria-label=t!(compare.versions)>
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
                                    compare.map_of_branches,
                                    place = position() + 1,
                                    count = count()
                                )
                            }
                            on:click=move |_| compare.branches_shown.set(true)
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
