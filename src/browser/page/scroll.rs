//! Elements that are scrolled: where the reader is in them, and what changes their size.

use leptos::prelude::{document, window};
use std::cell::Cell;
use std::rc::Rc;
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

/// Follows the end of a scrolled element while the reader is there, and leaves it alone otherwise.
#[derive(Clone, Debug, Default)]
pub struct Follower {
    away: Rc<Cell<bool>>,
    /// Where the element was scrolled to when last looked at.
    top: Rc<Cell<i32>>,
}

impl Follower {
    /// How near to the end still counts as there, in pixels.
    const NEAR: i32 = 48;

    /// Takes note of where the reader is; tells whether they are at the end. Only who scrolls up leaves it:
    /// text that came since the last frame puts the end further away too.
    pub fn scrolled(&self, element: &Element) -> bool {
        let top = element.scroll_top() as i32;
        let below = element.scroll_height() - top - element.client_height();
        let up = top < self.top.replace(top);
        if below <= Self::NEAR {
            self.away.set(false);
        } else if up {
            self.away.set(true);
        }
        !self.away.get()
    }

    /// Whether the reader is at the end, as last looked at.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        !self.away.get()
    }

    /// Goes to the end if the reader is there, who may have left since the last event told.
    pub fn follow(&self, element: &Element) {
        if self.scrolled(element) {
            element.set_scroll_top(element.scroll_height().into());
            self.top.set(element.scroll_top() as i32);
        }
    }

    /// Goes to the end and stays there.
    pub fn jump(&self, element: &Element) {
        self.away.set(false);
        self.top.set(0);
        self.follow(element);
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
