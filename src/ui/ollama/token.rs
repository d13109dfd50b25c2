//! LAN mode: the token, when the address did not bring it.

use crate::browser::token;
use crate::ui::app::session;
use crate::ui::dom::{El, el, typed};
use leptos::prelude::*;
use web_sys::Event;

/// The form. The token may be pasted.
pub fn token_form() -> El {
    let session = session();
    let given = RwSignal::new(String::new());
    let open = move |event: Event| {
        event.prevent_default();
        // The whole address may be pasted as well.
        let token = given.with_untracked(|text| {
            let last = text.rsplit('#').next().unwrap_or_default();
            last.strip_prefix("t=").unwrap_or(last).trim().to_owned()
        });
        if !token.is_empty() {
            token::remember(token);
            session.look_for_ollama();
        }
    };
    let field = el("input")
        .attr("aria-label", "Token")
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .value(move || given.get())
        .on("input", move |event: Event| given.set(typed(&event)));
    let row = el("div").class("field-row").child(field).child(
        el("button")
            .class("primary")
            .attr("type", "submit")
            .text("Open"),
    );
    el("form")
        .class("panel")
        .attr("aria-label", "Token")
        .attr("data-roomy", "true")
        .on("submit", open)
        .child(el("h2").text("This Sash asks for its token"))
        .child(el("p").text("When it started it printed an address with the token in it. Open that address, or paste it here."))
        .child(row)
}
