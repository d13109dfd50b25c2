//! Deleted chats: kept until the person empties the list.

use crate::ui::app::session;
use crate::ui::dom::{El, button, el};
use crate::ui::session::Session;
use crate::ui::signal::RwSignal;

/// The list of deleted chats, folded.
pub fn deleted_chats() -> El {
    let session = session();
    el("div").when(
        move || session.deleted.with(|all| !all.is_empty()),
        move || list(session),
    )
}

fn list(session: Session) -> El {
    let count = move || session.deleted.with(|all| all.len().to_string());
    let rows = el("ul").each(
        move || {
            session
                .deleted
                .with(|all| all.iter().map(|s| (s.id, s.title.clone())).collect())
        },
        move |(id, title)| {
            let id = *id;
            let restore = button("link")
                .attr("aria-label", &format!("Restore {title}"))
                .text("Restore")
                .click(move || session.restore_chat(id));
            el("li")
                .child(el("span").class("chat-title").text(title))
                .child(restore)
        },
    );
    el("details")
        .class("deleted")
        .child(
            el("summary")
                .text("Deleted chats ")
                .child(el("span").class("count").live_text(count)),
        )
        .child(rows)
        .child(empty(session))
}

/// Asks once more before anything is gone for good.
fn empty(session: Session) -> El {
    let sure = RwSignal::new(false);
    let link = |text: &str| button("link").text(text);
    el("div").choose(
        move || sure.get(),
        move |asked| {
            if !asked {
                return Some(link("Remove for good…").click(move || sure.set(true)));
            }
            let keep = link("Keep them").click(move || sure.set(false));
            let remove = link("Remove for good")
                .class("link danger")
                .click(move || session.empty_deleted());
            Some(
                el("p")
                    .text("This cannot be undone. ")
                    .child(keep)
                    .text(" ")
                    .child(remove),
            )
        },
    )
}
