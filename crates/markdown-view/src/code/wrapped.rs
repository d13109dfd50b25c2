//! The blocks that wrap their lines. The person's choice is kept while the page is open, because the element of
//! a block leaves the page with its row and is built again later.

use sash_browser_kit::console::LogError;
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use web_sys::Element;

thread_local! {
    /// The [`key`]s of those blocks.
    static WRAPPED: RefCell<Vec<(String, u32)>> = RefCell::default();
}

/// Toggles the wrapping of a block's lines.
pub(super) fn toggle(figure: &Element, button: &Element) -> Option<()> {
    let wraps = figure.toggle_attribute("data-wrap").ok()?;
    press(button, wraps)?;
    let key = key(figure)?;
    WRAPPED.with_borrow_mut(|wrapped| {
        wrapped.retain(|one| *one != key);
        if wraps {
            wrapped.push(key);
        }
    });
    Some(())
}

/// Wraps the lines of a block that wrapped them when it was last in the page.
pub(super) fn restore(figure: &Element) {
    let Some(message) = message_of(figure) else {
        return;
    };
    // Usually no block of the message wraps; finding the index of each of thousands of blocks would be slow.
    let any = WRAPPED.with_borrow(|wrapped| wrapped.iter().any(|(of, _)| *of == message));
    if !any || figure.has_attribute("data-wrap") {
        return;
    }
    let wraps = key(figure).is_some_and(|key| WRAPPED.with_borrow(|all| all.contains(&key)));
    if wraps && let Ok(Some(button)) = figure.query_selector("button.wrap") {
        figure.set_attribute("data-wrap", "").log_error();
        press(&button, true);
    }
}

fn press(button: &Element, pressed: bool) -> Option<()> {
    let pressed = if pressed { "true" } else { "false" };
    button.set_attribute("aria-pressed", pressed).ok()
}

/// The id of a block's message, taken from its row.
fn message_of(figure: &Element) -> Option<String> {
    let row = figure.closest("article").ok()??;
    row.get_attribute("aria-labelledby")
}

/// The message of a block, and the index of the block in it.
fn key(figure: &Element) -> Option<(String, u32)> {
    let row = figure.closest("article").ok()??;
    let blocks = row.query_selector_all("figure.code").ok()?;
    let is_it = |at: &u32| {
        let block = blocks.get(*at);
        block.is_some_and(|block| block.dyn_ref::<Element>() == Some(figure))
    };
    let at = (0..blocks.length()).find(is_it)?;
    Some((message_of(figure)?, at))
}
