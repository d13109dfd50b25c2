//! The line where the window was begun afresh. The log goes on over it.

use crate::browser::page;
use crate::ui::dom::{El, button, el};
use crate::ui::session::Session;
use leptos::prelude::*;
use sash_chat::Id;

/// What stands in the transcript, one under the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// A message.
    Message(Id),
    /// The window was begun afresh after this message.
    Afresh(Id),
}

/// The branch with its lines.
pub fn rows(session: Session) -> Vec<Row> {
    let starts = session
        .open
        .with(|chat| chat.steered(&chat.head).cleared.clone());
    let mut rows = Vec::new();
    session.path.with(|path| {
        for id in path {
            rows.push(Row::Message(*id));
            if starts.contains(id) {
                rows.push(Row::Afresh(*id));
            }
        }
    });
    rows
}

/// The line, and the way back.
pub fn afresh(session: Session, id: Id) -> El {
    let remove = button("link")
        .attr("aria-label", "Remove the fresh start")
        .text("Remove")
        .click(move || {
            session.unclear(id);
            // The button is gone.
            page::focus("conversation");
        });
    el("p")
        .class("afresh")
        .child(el("span").text("The window starts afresh here"))
        .child(remove)
}
