//! Scrolling elements: the reader's position and changes of size.

use crate::browser::console::LogError;
use leptos::prelude::{document, window};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, HtmlElement, ResizeObserver};

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

/// Calls back when an element changes its size, until this is dropped.
pub struct SizeObserver {
    observer: Option<ResizeObserver>,
    _callback: Closure<dyn FnMut()>,
}

impl SizeObserver {
    /// Starts to observe an element.
    pub fn new(element: &Element, callback: Box<dyn FnMut()>) -> Self {
        let callback = Closure::wrap(callback);
        // Without an observer, changes of size are ignored.
        let observer = ResizeObserver::new(callback.as_ref().unchecked_ref()).ok();
        if let Some(observer) = &observer {
            observer.observe(element);
        }
        Self {
            observer,
            _callback: callback,
        }
    }
}

impl Drop for SizeObserver {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
    }
}

/// Exposes the width of a scrolling element's scrollbar gutters to the styles, as `--gutters`.
pub fn note_gutters(scroller: &HtmlElement) {
    let root = document().document_element();
    if let Some(root) = root.and_then(|root| root.dyn_into::<HtmlElement>().ok()) {
        let gutters = scroller.offset_width() - scroller.client_width();
        root.style()
            .set_property("--gutters", &format!("{gutters}px"))
            .log_error();
    }
}
