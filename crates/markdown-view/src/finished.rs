//! Hands finished code blocks over to [`crate::code`].

use crate::code;
use sash_browser_kit::console::LogError;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// The attribute of a block that was handed over.
const HANDED: &str = "data-finished";

/// Hands over the code blocks in `element`, `element` included.
pub(crate) fn hand_over(element: &web_sys::Node) {
    let Some(element) = element.dyn_ref::<Element>() else {
        return;
    };
    let selector = "figure.code:not([data-finished])";
    let hand = |block: Element| {
        block.set_attribute(HANDED, "").log_error();
        code::finished(block);
    };
    if element.matches(selector).unwrap_or(false) {
        return hand(element.clone());
    }
    // One query for all of them: separate queries for thousands of blocks would be quadratic.
    let Ok(blocks) = element.query_selector_all(selector) else {
        return;
    };
    for at in 0..blocks.length() {
        if let Some(block) = blocks
            .get(at)
            .and_then(|node| node.dyn_into::<Element>().ok())
        {
            hand(block);
        }
    }
}

/// Whether `node` was handed over: its text may be wrapped in spans, so it is never patched again.
pub(crate) fn is_handed_over(node: &web_sys::Node) -> bool {
    let element = node.dyn_ref::<Element>();
    element.is_some_and(|element| element.has_attribute(HANDED))
}
