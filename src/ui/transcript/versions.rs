//! `‹ 2/2 ›`: the versions of a message, each with all that follows it.

use crate::browser::page;
use crate::ui::dom::{El, el};
use crate::ui::parts::{Icon, icon_button};
use crate::ui::session::Session;
use leptos::prelude::*;
use sash_chat::Id;

/// The walk; nothing where there is one version.
pub fn versions(session: Session, id: Id) -> El {
    // Nearly always there are none, and a look at all messages for each message would be slow.
    let forked = move || session.forks.with(|forks| forks.contains(&id));
    let all = Memo::new(move |_| match forked() {
        true => session.open.with(|chat| chat.versions(id)),
        false => Vec::new(),
    });
    let at = move || all.with(|all| all.iter().position(|v| *v == id).unwrap_or_default());
    let walk = move |step: isize| {
        let to = untrack(at).checked_add_signed(step);
        if let Some(to) = to.and_then(|to| all.with_untracked(|all| all.get(to).copied())) {
            session.walk_to(to);
            // The row is the other version's now: on to the same button, or back where the way ends.
            let ends =
                all.with_untracked(|all| all.first() == Some(&to) || all.last() == Some(&to));
            let on = (step > 0) != ends;
            page::focus_soon(format!("{}-{to}", if on { "newer" } else { "older" }));
        }
    };
    el("span").when(
        move || all.with(|all| all.len() > 1),
        move || {
            let back = icon_button("Previous version", Icon::Left)
                .attr("id", &format!("older-{id}"))
                .flag("disabled", move || at() == 0)
                .click(move || walk(-1));
            let on = icon_button("Next version", Icon::Right)
                .attr("id", &format!("newer-{id}"))
                .flag("disabled", move || at() + 1 >= all.with(Vec::len))
                .click(move || walk(1));
            el("span")
                .class("versions")
                .attr("role", "group")
                .attr("aria-label", "Versions")
                .child(back)
                .child(el("span").live_text(move || format!("{}/{}", at() + 1, all.with(Vec::len))))
                .child(on)
        },
    )
}
