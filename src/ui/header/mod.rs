//! The head of the page: the chat's title, the model, the theme.

mod model_picker;
mod theme;

use super::app::session;
use super::parts::{Icon, icon};
use leptos::prelude::*;
use model_picker::ModelPicker;
use theme::ThemeButton;

/// The head.
#[component]
pub fn Header() -> impl IntoView {
    let session = session();
    view! {
        <header class="header">
            <button
                id="chats-toggle"
                class="icon-button chats-toggle"
                aria-label="Chats"
                aria-controls="chats"
                aria-expanded=move || session.chats_shown.get().to_string()
                on:click=move |_| session.chats_shown.update(|shown| *shown = !*shown)
            >
                {icon(Icon::Menu)}
            </button>
            <h1 id="chat-title" tabindex="-1">{move || session.open.with(crate::chat::Chat::title)}</h1>
            <ModelPicker/>
            <ThemeButton/>
        </header>
    }
}
