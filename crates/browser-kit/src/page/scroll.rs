//! Scrolling elements: the reader's position and changes of size.

use crate::console::LogError;
use leptos::prelude::{document, window};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// Whether the browser keeps the reader's position (scroll anchoring) when something above it changes.
#[must_use]
pub fn keeps_place(element: &Element) -> bool {
    let style = window().get_computed_style(element).ok().flatten();
    let anchor = style.and_then(|style| style.get_property_value("overflow-anchor").ok());
    anchor.as_deref() == Some("auto")
}

/// Whether part of an element is selected.
#[must_use]
pub fn is_selected(element: &Element) -> bool {
    let selection = window().get_selection().ok().flatten();
    selection.is_some_and(|selection| {
        !selection.is_collapsed()
            && selection
                .contains_node_with_allow_partial_containment(element, true)
                .unwrap_or(false)
    })
}

/// Exposes the width of a scrolling element's scrollbar gutters to the styles, as `--gutters`.
pub fn record_gutters(scroller: &HtmlElement) {
    let root = document().document_element();
    if let Some(root) = root.and_then(|root| root.dyn_into::<HtmlElement>().ok()) {
        let gutters = scroller.offset_width() - scroller.client_width();
        root.style()
            .set_property("--gutters", &format!("{gutters}px"))
            .log_error();
    }
}
