//! What is not as it should be, in one line.

use super::storage_line::storage_line;
use crate::ui::app::session;
use crate::ui::dom::{El, button, el};
use leptos::prelude::*;
use sash_wire::Upstream;

/// Nothing is saved; the demo answers; Sash itself does not.
pub fn banner() -> El {
    let session = session();
    let warning = |text| el("p").class("banner banner-warning").text(text);
    let leave = move || {
        button("link")
            .text("Back to Ollama")
            .click(move || session.use_upstream(Upstream::Ollama))
    };
    // By the person's choice only: where the server itself is a demo there is no way back.
    let chosen = move || session.settings.with(|s| s.upstream == Upstream::Demo);
    el("div")
        .child(storage_line())
        .when(
            move || session.ollama.server_gone.get(),
            move || warning("Sash itself does not answer. Is it still running? The chats are here; the page looks again by itself."),
        )
        .when(
            move || session.ollama.is_demo(),
            move || {
                el("p")
                    .class("banner")
                    .child(el("span").text("This is the demo. It is no language model: it only tells what it was given."))
                    .when(chosen, leave)
            },
        )
}
