//! The head of the page: the chat's title, the model, what it sees, the theme.

mod model_picker;
mod theme;
mod title;

use super::app::session;
use super::dom::{El, el};
use super::panel::PanelButton;
use super::parts::{Icon, icon_button};
use leptos::prelude::*;
use model_picker::model_picker;
use theme::theme_button;
use title::chat_title;

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
    el("header")
        .class("header")
        .child(toggle)
        .child(chat_title(session))
        .child(model_picker())
        .view(view! { <PanelButton /> })
        .child(theme_button())
}
