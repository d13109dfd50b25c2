//! `‹ 2/2 ›`: the versions of a message, each with all that follows it.

use crate::chat::Id;
use crate::ui::app::session;
use crate::ui::parts::{Icon, icon};
use leptos::prelude::*;

/// The walk; nothing where there is one version.
#[component]
pub fn Versions(id: Id) -> impl IntoView {
    let session = session();
    let versions = Memo::new(move |_| session.open.with(|chat| chat.versions(id)));
    let at = move || versions.with(|all| all.iter().position(|v| *v == id).unwrap_or_default());
    // Not in the view: a bare `>` would end the tag.
    let at_last = move || at() + 1 >= versions.with(Vec::len);
    let walk = move |step: isize| {
        let to = untrack(at).checked_add_signed(step);
        if let Some(to) = to.and_then(|to| versions.with_untracked(|all| all.get(to).copied())) {
            session.walk_to(to);
        }
    };
    view! {
        <Show when=move || versions.with(|all| all.len() > 1)>
            <span class="versions" role="group" aria-label="Versions">
                <button
                    class="icon-button"
                    aria-label="Previous version"
                    disabled=move || at() == 0
                    on:click=move |_| walk(-1)
                >
                    {icon(Icon::Left)}
                </button>
                <span>{move || format!("{}/{}", at() + 1, versions.with(Vec::len))}</span>
                <button
                    class="icon-button"
                    aria-label="Next version"
                    disabled=at_last
                    on:click=move |_| walk(1)
                >
                    {icon(Icon::Right)}
                </button>
            </span>
        </Show>
    }
}
