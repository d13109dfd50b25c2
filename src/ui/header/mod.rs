//! The page's header: the chat's title, the model and its parameters, the panel button, the theme.

mod chat_title;
mod model_picker;
mod model_words;
mod pulls_link;
mod theme_button;

use super::panel::PanelButton;
use super::parameters::ParametersButton;
use super::parts::{IconButton, IconName};
use crate::ui::stores::use_stores;
use chat_title::ChatTitle;
use leptos::prelude::*;
use model_picker::ModelPicker;
use pulls_link::PullsLink;
use theme_button::ThemeButton;

/// The header.
#[component]
pub fn Header() -> impl IntoView {
    let stores = use_stores();

    view! {
        <header class="header">
            <IconButton
                label="Chats"
                icon=IconName::Menu
                class="chats-toggle"
                attr:id="chats-toggle"
                attr:aria-controls="chats"
                attr:aria-expanded=move || stores.view.chats_shown.get().to_string()
                on:click=move |_| stores.view.chats_shown.update(|shown| *shown = !*shown)
            />
            <ChatTitle />
            <PullsLink />
            <ModelPicker />
            <ParametersButton />
            <PanelButton />
            <ThemeButton />
        </header>
    }
}
