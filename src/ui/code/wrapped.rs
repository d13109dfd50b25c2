//! Which blocks wrap their lines. It is the person's choice, and holds while the page is open: the element of a block
//! leaves the page with its row, and another one comes back.

use std::cell::RefCell;
use wasm_bindgen::JsCast;
use web_sys::Element;

thread_local! {
    /// What [`key`] gives for those blocks.
    static WRAPPED: RefCell<Vec<(String, u32)>> = RefCell::default();
}

/// Wraps a block's lines, or does so no longer.
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

/// Wraps the lines of a block that wrapped them when it was in the page before.
pub(super) fn restore(figure: &Element) {
    let Some(message) = message_of(figure) else {
        return;
    };
    // Looking for the place of each of thousands would take long: nearly always there is none that wraps.
    let any = WRAPPED.with_borrow(|wrapped| wrapped.iter().any(|(of, _)| *of == message));
    if !any || figure.has_attribute("data-wrap") {
        return;
    }
    let wraps = key(figure).is_some_and(|key| WRAPPED.with_borrow(|all| all.contains(&key)));
    if wraps && let Ok(Some(button)) = figure.query_selector("button.wrap") {
        // A name of ours is always valid.
        let _ = figure.set_attribute("data-wrap", "");
        press(&button, true);
    }
}

fn press(button: &Element, pressed: bool) -> Option<()> {
    let pressed = if pressed { "true" } else { "false" };
    button.set_attribute("aria-pressed", pressed).ok()
}

/// What the row of a block is called by, which is its message's own.
fn message_of(figure: &Element) -> Option<String> {
    let row = figure.closest("article").ok()??;
    row.get_attribute("aria-labelledby")
}

/// The message of a block, and the place of the block in it.
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
