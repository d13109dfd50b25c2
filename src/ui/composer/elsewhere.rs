//! Another tab answers in this chat: one writer at a time, and the way to be it.

use crate::ui::dom::{El, button, el};
use crate::ui::session::Session;
use leptos::prelude::*;

/// The line above the composer; empty where no other tab answers.
pub fn elsewhere_line(session: Session) -> El {
    let elsewhere = Memo::new(move |_| session.is_held(session.open_id()));
    let line = move || {
        let take_over = button("")
            .text("Take over")
            .attr("title", "Stops the answer there and keeps what has come")
            .click(move || session.take_over(leptos::prelude::untrack(|| session.open_id())));
        el("div")
            .class("overflow")
            .child(el("p").text("This chat is in use in another tab: it is being answered there."))
            .child(el("div").class("overflow-offers").child(take_over))
    };
    el("div")
        .attr("role", "status")
        .when(move || elsewhere.get(), line)
}
