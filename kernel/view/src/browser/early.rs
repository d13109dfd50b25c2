//! The field of the frame (index.html, boot.js), which takes words before the program runs.

use leptos::ev;
use leptos::prelude::*;
use leptos_use_event_listener::use_event_listener;
use sash_browser_kit::console::LogError;
use sash_stores::{EarlyChat, EarlyWords};
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlTextAreaElement};

/// The field of the frame.
#[derive(Clone)]
pub struct EarlyField(HtmlTextAreaElement);

impl EarlyField {
    /// The field, if it has taken words. It has not where another page lies over the chat.
    #[must_use]
    pub fn find() -> Option<Self> {
        let found = document().get_element_by_id("shell-prompt")?;
        let field: HtmlTextAreaElement = found.dyn_into().ok()?;
        (!field.disabled()).then_some(Self(field))
    }

    /// What is written there, and in which chat.
    #[must_use]
    pub fn words(&self) -> EarlyWords {
        let chat = self.0.get_attribute("data-chat");
        EarlyWords {
            chat: chat.and_then(|chat| match &*chat {
                "new" => Some(EarlyChat::New),
                id => id.parse().ok().map(EarlyChat::Stored),
            }),
            shown: self.0.default_value().unwrap_or_default(),
            written: self.0.value(),
        }
    }

    /// Whether Enter was pressed there, and nothing was written since.
    #[must_use]
    pub fn is_to_be_sent(&self) -> bool {
        self.0.has_attribute("data-send")
    }

    /// Whether an input method composes a word there.
    #[must_use]
    pub fn is_composing(&self) -> bool {
        self.0.has_attribute("data-composing")
    }

    /// Whether it has the focus.
    #[must_use]
    pub fn has_focus(&self) -> bool {
        let field: &Element = &self.0;
        document().active_element().as_ref() == Some(field)
    }

    /// Calls back with each change while a word is being composed, and once none is: focus that moves in the middle would
    /// end the word.
    pub fn follow_composition(self, on_change: impl Fn() + 'static, on_end: impl Fn() + 'static) {
        let (field, on_end) = (self.clone(), Rc::new(on_end));
        let on_compositionend = move |_| {
            let (field, on_end) = (field.clone(), on_end.clone());
            // What ended the word, as a space does, may be written after it; and the next word may begin at once.
            let look = move || {
                if !field.is_composing() {
                    on_end();
                }
            };
            set_timeout(look, Duration::ZERO);
        };
        _ = use_event_listener(self.0.clone(), ev::input, move |_| on_change());
        _ = use_event_listener(self.0, ev::compositionend, on_compositionend);
    }

    /// Gives caret, selection and scroll position to the field of the page, which has the words at its end.
    pub fn give_place_to(&self, field: &HtmlTextAreaElement) {
        let length = |field: &HtmlTextAreaElement| field.text_length();
        let before = length(field).saturating_sub(length(&self.0));
        let of_page = |place: Option<u32>| place.unwrap_or_default() + before;
        let start = self.0.selection_start().ok().flatten();
        let end = self.0.selection_end().ok().flatten();
        let direction = self.0.selection_direction().ok().flatten();
        field
            .set_selection_range_with_direction(
                of_page(start),
                of_page(end),
                direction.as_deref().unwrap_or("none"),
            )
            .log_error();
        field.set_scroll_top(self.0.scroll_top());
    }
}

/// Removes the frame of the page.
pub fn remove_frame() {
    if let Some(shell) = document().get_element_by_id("shell") {
        shell.remove();
    }
}

/// Marks the page as ready for the stylesheet and for tests. A frame whose field took words stays until the page's own
/// field has them.
pub fn show_ready() {
    if EarlyField::find().is_none() {
        remove_frame();
    }
    if let Some(root) = document().document_element() {
        root.set_attribute("data-state", "ready").log_error();
    }
}
