//! Events of a store: typed, and heard by any number of listeners.

use super::registered::Registered;
use std::rc::Rc;

/// The events of one source. A listener ends with the owner under which it was registered.
pub struct Events<E: 'static>(Registered<dyn Fn(&E)>);

impl<E> Events<E> {
    /// Calls `listener` synchronously at each event, until the current owner is cleaned up.
    pub fn on(self, listener: impl Fn(&E) + 'static) {
        self.0.add(Rc::new(listener));
    }

    /// Tells all listeners, in the order in which they began. They may listen and emit themselves; who begins meanwhile
    /// hears the next event.
    pub fn emit(self, event: &E) {
        for listener in self.0.all() {
            listener(event);
        }
    }
}

impl<E> Default for Events<E> {
    fn default() -> Self {
        Self(Registered::default())
    }
}

impl<E> Clone for Events<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Events<E> {}
