//! Blocks of code that change no more are handed over to the program that colours them.

use crate::browser::code;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// On a block that was handed over.
const HANDED: &str = "data-finished";

/// Hands over the blocks of code in `element`, itself included.
pub(super) fn hand_over(element: &web_sys::Node) {
    let Some(element) = element.dyn_ref::<Element>() else {
        return;
    };
    let selector = "figure.code:not([data-finished])";
    loop {
        let block = match element.matches(selector) {
            Ok(true) => Some(element.clone()),
            _ => element.query_selector(selector).ok().flatten(),
        };
        let marked = block.filter(|block| block.set_attribute(HANDED, "").is_ok());
        match marked {
            Some(block) => code::finished(&block),
            None => return,
        }
    }
}

/// Whether `node` was handed over: its text may stand in spans, so it is never patched again.
pub(super) fn is_handed_over(node: &web_sys::Node) -> bool {
    let element = node.dyn_ref::<Element>();
    element.is_some_and(|element| element.has_attribute(HANDED))
}
