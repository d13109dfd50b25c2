//! An answer: what the model thought, and what it said.

use super::message_state::MessageState;
use super::thinking::Thinking;
use crate::ui::markdown::markdown_view;
use leptos::prelude::*;
use web_sys::Element;

/// The answer of the message around.
#[component]
pub fn Answer() -> impl IntoView {
    view! {
        <div>
            <Thinking />
            <div class="message-text" dir="auto" use:show_text=MessageState::expect()></div>
        </div>
    }
}

fn show_text(place: Element, message: MessageState) {
    let view = markdown_view(message.text.into(), message.running);
    // An element takes any element.
    _ = place.append_child(&view.element());
}
