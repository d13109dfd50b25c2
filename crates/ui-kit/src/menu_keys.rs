//! Keyboard navigation in a menu: the arrow keys, Home and End, and the first letter of an item.

use crate::{ListEnds, walk};
use sash_browser_kit::console::LogError;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

/// Moves focus among the items. Returns whether the key was handled.
pub(crate) fn move_focus(event: &KeyboardEvent, key: &str) -> bool {
    let to = item_by_key(event, key);
    to.iter().for_each(focus);
    to.is_some()
}

fn item_by_key(event: &KeyboardEvent, key: &str) -> Option<Element> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let items = target.closest(".menu").ok()??.children();
    let items: Vec<Element> = (0..items.length())
        .filter_map(|at| items.item(at))
        .collect();
    let at = items.iter().position(|item| *item == target)?;
    // A menu is no longer than a page.
    let to = match key {
        "PageUp" => Some(0),
        "PageDown" => items.len().checked_sub(1),
        key => walk(key, at, items.len(), ListEnds::Wrap),
    };
    let to = to.or_else(|| begins_with(&items, at, key))?;
    items.get(to).cloned()
}

/// The next item that begins with a letter, after the focused one and wrapping around.
fn begins_with(items: &[Element], at: usize, letter: &str) -> Option<usize> {
    let mut letters = letter.chars();
    let (letter, None) = (letters.next()?, letters.next()) else {
        return None;
    };
    let begins = |at: &usize| {
        let words = items.get(*at).and_then(|item| item.text_content());
        let first = words.and_then(|words| words.chars().next());
        first.is_some_and(|c| c.eq_ignore_ascii_case(&letter))
    };
    (at + 1..items.len()).chain(0..=at).find(begins)
}

/// Focuses an item.
pub(crate) fn focus(item: &Element) {
    if let Some(item) = item.dyn_ref::<HtmlElement>() {
        item.focus().log_error();
    }
}
