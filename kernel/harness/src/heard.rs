//! Listeners that note what they hear.

use sash_stores::hooks::Events;
use std::cell::RefCell;
use std::rc::Rc;

/// What was heard, in its order. A clone is the same list.
#[derive(Clone, Default)]
pub struct Heard(Rc<RefCell<Vec<String>>>);

impl Heard {
    /// Notes something.
    pub fn note(&self, what: impl Into<String>) {
        self.0.borrow_mut().push(what.into());
    }

    /// What was heard since the last call.
    #[must_use]
    pub fn take(&self) -> Vec<String> {
        self.0.take()
    }
}

/// Two listeners of the same events, which note what `name` says of each.
pub fn two_listeners<E>(events: Events<E>, name: impl Fn(&E) -> String + Copy + 'static) -> Heard {
    let heard = Heard::default();
    for listener in ["a", "b"] {
        let heard = heard.clone();
        events.on(move |event| heard.note(format!("{listener}: {}", name(event))));
    }
    heard
}
