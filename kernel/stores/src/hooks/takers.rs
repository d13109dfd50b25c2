//! Takers: one of several stores takes something over.

use super::registered::Registered;
use std::rc::Rc;

/// Takers of one kind of thing. Each ends with the owner under which it was added.
pub struct Takers<T: 'static>(Registered<dyn Fn(&T) -> bool>);

impl<T> Takers<T> {
    /// Has `taker` asked after those that were added before, until the current owner is cleaned up. It says whether it
    /// takes the thing.
    pub fn add(self, taker: impl Fn(&T) -> bool + 'static) {
        self.0.add(Rc::new(taker));
    }

    /// Asks the takers in their order until one takes the thing. Returns whether one did.
    pub fn ask(self, thing: &T) -> bool {
        self.0.all().iter().any(|taker| taker(thing))
    }
}

impl<T> Default for Takers<T> {
    fn default() -> Self {
        Self(Registered::default())
    }
}

impl<T> Clone for Takers<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Takers<T> {}
