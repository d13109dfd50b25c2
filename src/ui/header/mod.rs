//! The head of the page: the chat's title, the model, what it sees, the theme.

mod model_picker;
mod theme;

use super::app::session;
use super::dom::{El, el};
use super::panel::panel_button;
use super::parts::{Icon, icon_button};
use model_picker::model_picker;
use theme::theme_button;

/// The head.
pub fn header() -> El {
    let session = session();
    let toggle = icon_button("Chats", Icon::Menu)
        .class("icon-button chats-toggle")
        .attr("id", "chats-toggle")
        .attr("aria-controls", "chats")
        .live_attr("aria-expanded", move || {
            session.chats_shown.get().to_string()
        })
        .click(move || session.chats_shown.update(|shown| *shown = !*shown));
    let title = el("h1")
        .attr("id", "chat-title")
        .attr("tabindex", "-1")
        .live_text(move || session.open.with(crate::chat::Chat::title));
    el("header")
        .class("header")
        .child(toggle)
        .child(title)
        .child(model_picker())
        .child(panel_button(session))
        .child(theme_button())
}
