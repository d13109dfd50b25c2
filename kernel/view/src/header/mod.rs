//! The page's header: the chat's title, the model, and the buttons of rooms.

mod chat_title;
mod model_picker;

use crate::browser::focus_refs::FocusRefs;
use crate::places::use_places;
use crate::stores::use_kernel;
use chat_title::ChatTitle;
pub use chat_title::StartAfreshItem;
use leptos::prelude::*;
pub use model_picker::ModelPicker;
use sash_ui_kit::{IconButton, IconName};
use sash_words::t;

/// The header.
#[component]
pub fn Header() -> impl IntoView {
    let kernel = use_kernel();

    view! {
        <header class="header">
            <IconButton
                label=t!(common.chats)
                icon=IconName::Menu
                class="chats-toggle"
                button_ref=FocusRefs::expect().chats_button
                attr:aria-controls="chats"
                attr:aria-expanded=move || kernel.view().chats_shown.get().to_string()
                on:click=move |_| kernel.view().chats_shown.update(|shown| *shown = !*shown)
            />
            <ChatTitle />
            // Elsewhere it is in the list of chats, which a narrow page hides.
            <IconButton
                label=t!(common.new_chat)
                icon=IconName::Plus
                class="header-new-chat"
                on:click=move |_| kernel.chats().begin_chat()
            />
            {use_places().header_buttons.view()}
        </header>
    }
}
