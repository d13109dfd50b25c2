//! What several stores have to offer for one thing.

use super::registered::Registered;
use std::rc::Rc;

/// Functions that offer something of one kind. Each ends with the owner under which it was added.
pub struct Offers<F: ?Sized + 'static>(Registered<F>);

impl<F: ?Sized> Offers<F> {
    /// Has `offer` asked after those that were added before, until the current owner is cleaned up.
    pub fn add(self, offer: Rc<F>) {
        self.0.add(offer);
    }

    /// All of them, in their order. Who reads them in a memo or effect runs again once one is added or gone.
    #[must_use]
    pub fn all(self) -> Vec<Rc<F>> {
        self.0.tracked()
    }
}

impl<F: ?Sized> Default for Offers<F> {
    fn default() -> Self {
        Self(Registered::new())
    }
}

impl<F: ?Sized> Clone for Offers<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: ?Sized> Copy for Offers<F> {}
