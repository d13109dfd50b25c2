//! A listener that is gone from its element before its closure is: an element on its way out still gets
//! events (a focused field is blurred), and a dropped closure throws when it is called.

use crate::ui::call::CallMut;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, Event};

/// Listens until it is dropped.
pub struct Listener {
    element: Element,
    event: String,
    closure: Closure<dyn FnMut(Event)>,
}

impl Listener {
    /// Begins to listen.
    pub fn new(element: Element, event: &str, mut listener: Box<dyn CallMut<Event>>) -> Self {
        let closure = Closure::new(move |event| listener.call_mut(event));
        // Adding a listener fails for no event of ours.
        let _ = element.add_event_listener_with_callback(event, closure.as_ref().unchecked_ref());
        Self {
            element,
            event: event.to_owned(),
            closure,
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let callback = self.closure.as_ref().unchecked_ref();
        // Nor does removing it.
        let _ = self
            .element
            .remove_event_listener_with_callback(&self.event, callback);
    }
}
