//! What the model sees: the next prompt's request, message by message, before it is sent. All of it comes
//! from what sends it (`session.window`, `window::turns`, `api::Prompt`), and only while the panel is open.

mod gauge;
mod literal;
mod system;
mod turns;
mod words;

use super::app::session;
use super::dom::{El, el};
use super::parts::{Icon, icon_button};
use super::session::Session;
use crate::browser::page;
pub use gauge::{fit_words, gauge, limit_words};
use leptos::prelude::*;
use literal::literals;
use system::system_entry;
pub use system::{system_dialog, system_line};
pub use turns::folded;
use turns::turn_list;
use web_sys::KeyboardEvent;
pub use words::{policy_words, role_words};

const BUTTON: &str = "panel-toggle";
const TITLE: &str = "panel-title";

/// The button in the page's head.
pub fn panel_button(session: Session) -> El {
    let shown = session.panel_shown;
    icon_button("What the model sees", Icon::Eye)
        .class("icon-button panel-button")
        .child(el("span").text("What the model sees"))
        .attr("id", BUTTON)
        .live_attr("aria-expanded", move || shown.get().to_string())
        .opt_attr("aria-controls", move || {
            shown.get().then(|| "panel".to_owned())
        })
        .click(move || match shown.get_untracked() {
            true => shown.set(false),
            false => {
                shown.set(true);
                page::focus_soon(TITLE.to_owned());
            }
        })
}

/// The panel.
pub fn panel() -> El {
    let session = session();
    let close = move || {
        session.panel_shown.set(false);
        page::focus_soon(BUTTON.to_owned());
    };
    let on_key = move |event: KeyboardEvent| {
        let escapes = event.key() == "Escape" && !event.is_composing();
        if escapes && !event.default_prevented() {
            event.prevent_default();
            close();
        }
    };
    let head = el("div")
        .class("panel-head")
        .child(
            el("h2")
                .attr("id", TITLE)
                .attr("tabindex", "-1")
                .text("What the model sees"),
        )
        .child(icon_button("Close the panel", Icon::Close).click(close));
    el("aside")
        .class("sees")
        .attr("id", "panel")
        .attr("aria-labelledby", TITLE)
        .on("keydown", on_key)
        .child(head)
        .child(
            el("div")
                .class("panel-body")
                .child(summary(session))
                .child(system_entry(session))
                .child(turn_list(session))
                .child(literals(session)),
        )
}

/// The next request in a few words, and how full it makes the context.
fn summary(session: Session) -> El {
    let rule = move || {
        let policy = session.open.with(|chat| chat.head.policy);
        let model = session.model().unwrap_or_else(|| "no model".to_owned());
        format!(
            "Goes to {model} with the next prompt: {}.",
            policy_words(policy)
        )
    };
    let answering = move || {
        let chat = session.open_id();
        let running = session.answering.with(|all| all.get(&chat).copied());
        // A trial runs beside the branch.
        running.is_some_and(|id| session.path.with(|path| path.last() == Some(&id)))
    };
    el("div")
        .class("panel-sum")
        .child(el("p").live_text(rule))
        .child(gauge(session))
        .when(answering, || {
            el("p").text("An answer is being written. It counts when it is complete.")
        })
}
