//! Moves focus to an element and scrolls it into view.

use crate::console::LogError;
use crate::keys::is_text_field;
use leptos::html::ElementType;
use leptos::prelude::*;
use std::time::Duration;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, ScrollIntoViewOptions, ScrollLogicalPosition};

/// Moves focus to an element, if it is on the page.
pub fn focus<E>(place: NodeRef<E>)
where
    E: ElementType,
    E::Output: JsCast + Clone + 'static,
{
    if let Some(element) = place.try_get_untracked().flatten() {
        element.unchecked_ref::<HtmlElement>().focus().log_error();
    }
}

/// Moves focus after the next frame, when a changed page has its new elements.
pub fn focus_soon<E>(place: NodeRef<E>)
where
    E: ElementType,
    E::Output: JsCast + Clone + 'static,
{
    request_animation_frame(move || focus(place));
}

/// Moves focus to an element, if nothing that is shown has it. What is in a dialog that was closed loses it some frames later
/// only.
pub fn focus_if_lost<E>(place: NodeRef<E>)
where
    E: ElementType,
    E::Output: JsCast + Clone + 'static,
{
    let is_closed = |element: &Element| {
        element
            .closest("dialog:not([open])")
            .is_ok_and(|d| d.is_some())
    };
    let body = document().body().map(Element::from);
    let active = document().active_element();
    if active == body || active.is_none_or(|element| is_closed(&element)) {
        focus_soon(place);
    }
}

/// Moves focus to an element when it comes to the page. It can take focus only after the next frame.
pub fn focus_on_load<E>(place: NodeRef<E>)
where
    E: ElementType,
    E::Output: JsCast + Clone + 'static,
{
    place.on_load(move |_| focus_soon(place));
}

/// Moves focus after the next frame to the element with that id: to one in a list, whose row the caller does not have.
pub fn focus_id_soon(id: String) {
    request_animation_frame(move || {
        let element = document().get_element_by_id(&id);
        if let Some(element) = element.and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
            element.focus().log_error();
        }
    });
}

/// Drops the selection, unless a field has the focus. In Chromium the selection of a field stays in its dialog when that
/// closes, and then the field that gets the focus back from the dialog below takes no keys.
pub fn drop_selection() {
    let focused = document().active_element().map(Into::into);
    let selection = window().get_selection().ok().flatten();
    if let Some(selection) = selection.filter(|_| !is_text_field(focused)) {
        selection.remove_all_ranges().log_error();
    }
}

/// Scrolls an element into view, focuses it, and highlights it for a moment.
pub fn highlight(element: &HtmlElement) {
    const HIGHLIGHT_TIME: Duration = Duration::from_secs(2);
    element.set_tab_index(-1);
    element.scroll_into_view();
    element.focus().log_error();
    element.set_attribute("data-shown", "").log_error();
    let element = element.clone();
    set_timeout(
        move || _ = element.remove_attribute("data-shown"),
        HIGHLIGHT_TIME,
    );
}

/// Scrolls an element into view, no further than necessary.
pub fn scroll_to(element: &Element) {
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    element.scroll_into_view_with_scroll_into_view_options(&options);
}

/// Scrolls the element with that id into view, no further than necessary: one in a list, whose row the caller does not
/// have.
pub fn scroll_to_id(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        scroll_to(&element);
    }
}
