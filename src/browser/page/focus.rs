//! Moves focus to an element and scrolls it into view.

use crate::browser::console::LogError;
use leptos::prelude::*;
use sash_state::edges::FocusTarget;
use std::time::Duration;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, ScrollIntoViewOptions, ScrollLogicalPosition};

/// The id of the prompt field.
pub const PROMPT: &str = "prompt";
/// The id of the open chat's title.
pub const CHAT_TITLE: &str = "chat-title";
/// The id of what the import says at its end.
pub const IMPORT_TITLE: &str = "import-title";
/// The id of the title of *What if*.
pub const WHAT_IF_TITLE: &str = "what-if-title";

/// The id of what a store gives the focus to.
#[must_use]
pub fn id_of(target: FocusTarget) -> &'static str {
    match target {
        FocusTarget::Prompt => PROMPT,
        FocusTarget::ChatTitle => CHAT_TITLE,
        FocusTarget::ImportTitle => IMPORT_TITLE,
        FocusTarget::WhatIfTitle => WHAT_IF_TITLE,
    }
}

/// Moves focus to the element with that id.
pub fn focus(id: &str) {
    let element = document().get_element_by_id(id);
    if let Some(element) = element.and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        element.focus().log_error();
    }
}

/// Moves focus after the next frame, when a changed page has its new elements.
pub fn focus_soon(id: String) {
    request_animation_frame(move || focus(&id));
}

fn article_around(id: &str) -> Option<HtmlElement> {
    let element = document().get_element_by_id(id)?;
    element.closest("article").ok()??.dyn_into().ok()
}

/// Scrolls the article around the element with that id into view.
pub fn scroll_article_into_view(id: &str) {
    if let Some(article) = article_around(id) {
        article.scroll_into_view();
    }
}

/// Scrolls the article around the element with that id into view, focuses it, and highlights it for a moment.
pub fn highlight_article(id: &str) {
    const HIGHLIGHT_TIME: Duration = Duration::from_secs(2);
    if let Some(article) = article_around(id) {
        article.set_tab_index(-1);
        article.scroll_into_view();
        article.focus().log_error();
        article.set_attribute("data-shown", "").log_error();
        set_timeout(
            move || _ = article.remove_attribute("data-shown"),
            HIGHLIGHT_TIME,
        );
    }
}

/// Scrolls the element with that id into view, no further than necessary.
pub fn scroll_to(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

/// Scrolls the element with that id into view after the next frame, no further than necessary.
pub fn scroll_to_soon(id: String) {
    request_animation_frame(move || scroll_to(&id));
}
