//! The empty chat.

use crate::ui::app::session;
use crate::ui::dom::{El, el};
use crate::ui::parts::mark;

/// What a newcomer sees first: what this is, and that one can begin.
pub fn welcome() -> El {
    let session = session();
    let ready = move || session.ollama.is_reachable() && session.model().is_some();
    el("div").when(ready, || {
        let words = el("p")
            .text("Every prompt takes the ")
            .child(el("strong").text("three messages before it"))
            .text(" along, and nothing else. The bracket in the margin always shows which. The whole chat stays in this browser.");
        el("div")
            .class("welcome")
            .child(mark())
            .child(el("h2").text("What would you like to ask?"))
            .child(words)
    })
}
