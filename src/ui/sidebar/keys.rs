//! What the keyboard does, in a list.

use crate::ui::app::session;
use crate::ui::dom::{El, dialog, el, live};
use crate::ui::session::Session;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement};

/// Where, and there: which keys, and what they do.
type Place = (&'static str, &'static [(&'static str, &'static str)]);

const PLACES: [Place; 4] = [
    (
        "Writing",
        &[
            ("Enter", "Send; while an answer is written: send next"),
            ("Shift+Enter", "New line"),
            ("Up", "In the empty field: edit your last question"),
            ("Alt+I", "Include the older message that is suggested"),
            ("/clear", "Start afresh: nothing above goes along any more"),
        ],
    ),
    (
        "Everywhere",
        &[
            ("Esc", "Stop the answer, close what is open"),
            ("Ctrl+K", "Search all chats"),
            ("Ctrl+Z", "Undo the last step, outside of text fields"),
            ("Any letter", "Go on writing, from wherever you are"),
            ("? or Ctrl+/", "This list"),
        ],
    ),
    (
        "At the upper edge of the window",
        &[
            ("Up, Down", "Send a message more, a message less"),
            ("PgUp, PgDn", "Ten at once"),
            ("Home, End", "Everything, nothing"),
        ],
    ),
    (
        "In the list of chats",
        &[
            ("Up, Down", "The chat above, the chat below"),
            ("Home, End", "The first, the last"),
        ],
    ),
];

/// The dialog.
pub fn keys_dialog() -> El {
    let session = session();
    dialog("keys", "Keyboard", session.keys_shown, move || {
        list(session)
    })
}

fn list(session: Session) -> El {
    let mut all = el("div").class("keys-list");
    for (place, keys) in PLACES {
        let mut rows = el("dl");
        for (key, does) in keys {
            rows = rows.child(
                el("div")
                    .child(el("dt").child(el("kbd").text(key)))
                    .child(el("dd").text(does)),
            );
        }
        all = all.child(el("section").child(el("h3").text(place)).child(rows));
    }
    all.child(single(session))
}

/// Keys without Ctrl or Alt may be pressed unawares, by voice for one: they can be switched off.
fn single(session: Session) -> El {
    let field = el("input").attr("type", "checkbox");
    let input: HtmlInputElement = field.element().unchecked_into();
    live(move || input.set_checked(!session.settings.with(|settings| settings.no_help_key)));
    let field = field.on("change", move |_: Event| {
        session.change_settings(|settings| settings.no_help_key = !settings.no_help_key);
    });
    el("label")
        .class("keys-single")
        .child(field)
        .child(el("span").text("Open this list with ? alone"))
}
