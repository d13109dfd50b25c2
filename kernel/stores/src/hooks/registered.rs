//! Functions that are registered with a source, each until the owner that registered it is cleaned up.

use reactive_graph::owner::{LocalStorage, on_cleanup};
use reactive_graph::signal::RwSignal;
use reactive_graph::traits::{Update, With, WithUntracked};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The functions by their numbers, in the order in which they came.
pub(crate) struct Registered<F: ?Sized + 'static>(RwSignal<Numbered<F>, LocalStorage>);

type Numbered<F> = BTreeMap<u64, Rc<F>>;

impl<F: ?Sized> Registered<F> {
    /// Adds a function, until the current owner is cleaned up.
    pub(crate) fn add(self, function: Rc<F>) {
        let number = self.0.try_update(|all| {
            let number = all.last_key_value().map_or(0, |(last, _)| last + 1);
            all.insert(number, function);
            number
        });
        on_cleanup(move || {
            let remove = |all: &mut Numbered<F>| number.and_then(|number| all.remove(&number));
            // Dropped outside of the update: what a function holds may be registered here itself.
            drop(self.0.try_update(remove));
        });
    }

    /// The functions, copied out: one that runs may add others, and use the source. None once the source is gone.
    pub(crate) fn all(self) -> Vec<Rc<F>> {
        let copy = |all: &Numbered<F>| all.values().cloned().collect();
        self.0.try_with_untracked(copy).unwrap_or_default()
    }

    /// The same; who follows them runs again once one is added or gone.
    pub(crate) fn tracked(self) -> Vec<Rc<F>> {
        let copy = |all: &Numbered<F>| all.values().cloned().collect();
        self.0.try_with(copy).unwrap_or_default()
    }
}

// By hand: a derive would ask them of the function.
impl<F: ?Sized> Default for Registered<F> {
    fn default() -> Self {
        Self(RwSignal::default())
    }
}

impl<F: ?Sized> Clone for Registered<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: ?Sized> Copy for Registered<F> {}
