//! Keyboard navigation in a menu: the arrow keys, Home and End, and the first letter of an item.

use sash_browser_kit::console::LogError;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

/// Moves focus among the items. Returns whether the key was handled.
pub(crate) fn walk(event: &KeyboardEvent, key: &str) -> bool {
    let target = event.target().and_then(|to| to.dyn_into::<Element>().ok());
    let Some(menu) = target
        .as_ref()
        .and_then(|at| at.closest(".menu").ok().flatten())
    else {
        return false;
    };
    let at = target.as_ref();
    let to = match key {
        "ArrowDown" => at
            .and_then(Element::next_element_sibling)
            .or_else(|| menu.first_element_child()),
        "ArrowUp" => at
            .and_then(Element::previous_element_sibling)
            .or_else(|| menu.last_element_child()),
        "Home" | "PageUp" => menu.first_element_child(),
        "End" | "PageDown" => menu.last_element_child(),
        letter => begins_with(&menu, at, letter),
    };
    if let Some(to) = &to {
        focus(to);
    }
    to.is_some()
}

/// The next item that begins with a letter, after the focused one and wrapping around.
fn begins_with(menu: &Element, at: Option<&Element>, letter: &str) -> Option<Element> {
    let mut letters = letter.chars();
    let (letter, None) = (letters.next()?, letters.next()) else {
        return None;
    };
    let begins = |item: &Element| {
        let words = item.text_content().unwrap_or_default();
        words
            .chars()
            .next()
            .is_some_and(|c| c.eq_ignore_ascii_case(&letter))
    };
    let next = std::iter::successors(at?.next_element_sibling(), Element::next_element_sibling);
    let round = std::iter::successors(menu.first_element_child(), Element::next_element_sibling);
    next.chain(round).find(begins)
}

/// Focuses an item.
pub(crate) fn focus(item: &Element) {
    if let Some(item) = item.dyn_ref::<HtmlElement>() {
        item.focus().log_error();
    }
}
