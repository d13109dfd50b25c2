//! Elements that are scrolled: where the reader is in them, and what changes their size.

use leptos::prelude::{document, window};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, HtmlElement, ResizeObserver};

/// Whether the browser keeps the reader's place in a scrolled element when something above it changes.
#[must_use]
pub fn keeps_place(element: &Element) -> bool {
    let style = window().get_computed_style(element).ok().flatten();
    let anchor = style.and_then(|style| style.get_property_value("overflow-anchor").ok());
    anchor.as_deref() == Some("auto")
}

/// Whether some of what is in an element is selected.
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

/// Calls back when an element changes its size, until it is dropped.
pub struct Watched {
    observer: Option<ResizeObserver>,
    _callback: Closure<dyn FnMut()>,
}

impl Watched {
    /// Begins to watch.
    pub fn new(element: &Element, callback: Box<dyn FnMut()>) -> Self {
        let callback = Closure::wrap(callback);
        // What cannot be watched is merely not followed.
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

impl Drop for Watched {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
    }
}

/// Makes the room that a scrolled element keeps free for scrollbars known to the styles, as `--gutters`.
pub fn note_gutters(scroller: &HtmlElement) {
    let root = document().document_element();
    if let Some(root) = root.and_then(|root| root.dyn_into::<HtmlElement>().ok()) {
        let gutters = scroller.offset_width() - scroller.client_width();
        // A length is always valid.
        let _ = root
            .style()
            .set_property("--gutters", &format!("{gutters}px"));
    }
}
