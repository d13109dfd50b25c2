//! What if: the same question with another window, and both answers side by side. A dialog of two steps:
//! choosing the window, comparing the answers.

mod choose;
mod sides;

use super::app::session;
use super::dom::{El, el, live};
use super::parts::{Icon, icon_button};
use super::session::{Session, WhatIf};
use leptos::prelude::*;
use sash_chat::Id;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlDialogElement};

/// The way in, from an answer.
pub fn ask_what_if(session: Session, answer: Id) {
    if session.asked(answer).is_none() {
        session.tell_no_question();
    } else if untrack(|| session.may_ask()) {
        session.what_if.set(WhatIf::Choosing(answer));
    }
}

/// The dialog.
pub fn what_if_dialog() -> El {
    let session = session();
    let what_if = session.what_if;
    let close = icon_button("Close", Icon::Close).click(move || what_if.set(WhatIf::Closed));
    let dialog = el("dialog")
        .class("dialog what-if")
        .attr("aria-labelledby", "what-if-title")
        .on("close", move |_: Event| what_if.set(WhatIf::Closed))
        .child(
            el("div")
                .class("what-if-head")
                .child(
                    el("h2")
                        .attr("id", "what-if-title")
                        .attr("tabindex", "-1")
                        .text("What if…"),
                )
                .child(close),
        )
        .choose(
            move || what_if.get(),
            move |step| match *step {
                WhatIf::Closed => None,
                WhatIf::Choosing(answer) => Some(choose::choose(session, answer)),
                WhatIf::Comparing(first, second) => Some(sides::sides(session, first, second)),
            },
        )
        // The page's own is out of reach while the dialog is open.
        .child(
            el("div")
                .attr("role", "status")
                .class("visually-hidden")
                .live_text(move || match what_if.get() {
                    WhatIf::Closed => String::new(),
                    _ => session.status.get() + &session.alert.get(),
                }),
        );
    let element: HtmlDialogElement = dialog.element().unchecked_into();
    live(move || match what_if.get() != WhatIf::Closed {
        // Only a dialog that is not in the page refuses, and one that is open already.
        true if !element.open() => _ = element.show_modal(),
        false if element.open() => element.close(),
        _ => {}
    });
    dialog
}
