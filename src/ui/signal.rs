//! Signals and memos over Leptos' own, with the value beside them and not in them: what Leptos makes anew for
//! each type of value (a tenth of the page's program) is made once, for a trigger and for a number.
//!
//! They have the names and the ways of Leptos' signals, of which they are a part.

use super::call::Call;
use leptos::prelude::{ArcTrigger, Get, LocalStorage, Notify, StoredValue, Track, Trigger};
use send_wrapper::SendWrapper;
use std::any::Any;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;

/// A value that can be changed. It lives as long as the owner it was made under; copy it freely.
pub struct RwSignal<T> {
    value: StoredValue<Rc<dyn Any>, LocalStorage>,
    changed: Trigger,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for RwSignal<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for RwSignal<T> {}

impl<T: 'static> RwSignal<T> {
    /// A signal with its first value.
    pub fn new(value: T) -> Self {
        Self {
            value: StoredValue::new_local(Rc::new(RefCell::new(value))),
            changed: Trigger::new(),
            of: PhantomData,
        }
    }

    fn cell(self) -> Option<Rc<RefCell<T>>> {
        held(self.value).and_then(|value| value.downcast().ok())
    }

    /// Has whoever runs now run again when it changes.
    pub fn track(self) {
        self.changed.track();
    }

    /// Looks at it, and is told when it changes.
    pub fn with<U>(self, f: impl FnOnce(&T) -> U) -> U {
        self.track();
        self.with_untracked(f)
    }

    /// Looks at it as it is.
    pub fn with_untracked<U>(self, f: impl FnOnce(&T) -> U) -> U {
        let value = self.try_with_untracked(f);
        value.unwrap_or_else(|| unreachable!("a signal outlives who reads it"))
    }

    /// Looks at it, if it is still there.
    pub fn try_with_untracked<U>(self, f: impl FnOnce(&T) -> U) -> Option<U> {
        self.cell().map(|cell| f(&cell.borrow()))
    }

    /// Changes it in place.
    pub fn update(self, f: impl FnOnce(&mut T)) {
        if let Some(cell) = self.cell() {
            f(&mut cell.borrow_mut());
            self.changed.notify();
        }
    }

    /// Sets it; nothing happens when it is gone.
    pub fn set(self, value: T) {
        self.try_set(value);
    }

    /// Sets it; gives the value back when the signal is gone.
    pub fn try_set(self, value: T) -> Option<T> {
        let Some(cell) = self.cell() else {
            return Some(value);
        };
        // What is dropped may look at it again.
        drop(cell.replace(value));
        self.changed.notify();
        None
    }
}

impl<T: Clone + 'static> RwSignal<T> {
    /// A copy of it; told when it changes.
    pub fn get(self) -> T {
        self.with(T::clone)
    }

    /// A copy of it as it is.
    pub fn get_untracked(self) -> T {
        self.with_untracked(T::clone)
    }

    /// A copy of it as it is, if it is still there.
    pub fn try_get_untracked(self) -> Option<T> {
        self.try_with_untracked(T::clone)
    }
}

/// A value that follows from others; made anew when they change and it is asked for.
pub struct Memo<T> {
    value: StoredValue<Rc<dyn Any>, LocalStorage>,
    /// Goes up with each value that differs from the one before.
    version: leptos::prelude::Memo<u32>,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Memo<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Memo<T> {}

impl<T: PartialEq + 'static> Memo<T> {
    /// A value made by `make`.
    pub fn new(make: impl Fn(()) -> T + 'static) -> Self {
        let cell = Rc::new(RefCell::new(None));
        let kept = Rc::clone(&cell);
        let differs = move |()| {
            let fresh = Some(make(()));
            let differs = *kept.borrow() != fresh;
            if differs {
                kept.replace(fresh);
            }
            differs
        };
        Self {
            value: StoredValue::new_local(cell),
            version: version(Box::new(differs)),
            of: PhantomData,
        }
    }
}

impl<T: 'static> Memo<T> {
    /// Has whoever runs now run again when it changes.
    pub fn track(self) {
        self.version.track();
    }

    /// Looks at it, and is told when it changes.
    pub fn with<U>(self, f: impl FnOnce(&T) -> U) -> U {
        self.version.get();
        self.look(f)
    }

    /// Looks at it as it is now.
    pub fn with_untracked<U>(self, f: impl FnOnce(&T) -> U) -> U {
        leptos::prelude::untrack(|| self.version.get());
        self.look(f)
    }

    fn look<U>(self, f: impl FnOnce(&T) -> U) -> U {
        let cell = held(self.value).and_then(|value| value.downcast::<RefCell<Option<T>>>().ok());
        let seen = cell.and_then(|cell| cell.borrow().as_ref().map(f));
        seen.unwrap_or_else(|| unreachable!("a memo outlives who reads it"))
    }
}

impl<T: Clone + 'static> Memo<T> {
    /// A copy of it; told when it changes.
    pub fn get(self) -> T {
        self.with(T::clone)
    }

    /// A copy of it as it is now.
    pub fn get_untracked(self) -> T {
        self.with_untracked(T::clone)
    }
}

/// A value that can be changed and outlives its owner: it lives as long as it is held.
#[derive(Debug)]
pub struct ArcRwSignal<T> {
    value: Rc<RefCell<T>>,
    changed: ArcTrigger,
}

impl<T> Clone for ArcRwSignal<T> {
    fn clone(&self) -> Self {
        Self {
            value: Rc::clone(&self.value),
            changed: self.changed.clone(),
        }
    }
}

impl<T> ArcRwSignal<T> {
    /// A signal with its first value.
    pub fn new(value: T) -> Self {
        Self {
            value: Rc::new(RefCell::new(value)),
            changed: ArcTrigger::new(),
        }
    }

    /// Has whoever runs now run again when it changes.
    pub fn track(&self) {
        self.changed.track();
    }

    /// Looks at it, and is told when it changes.
    pub fn with<U>(&self, f: impl FnOnce(&T) -> U) -> U {
        self.track();
        self.with_untracked(f)
    }

    /// Looks at it as it is.
    pub fn with_untracked<U>(&self, f: impl FnOnce(&T) -> U) -> U {
        f(&self.value.borrow())
    }

    /// Changes it in place.
    pub fn update(&self, f: impl FnOnce(&mut T)) {
        f(&mut self.value.borrow_mut());
        self.changed.notify();
    }

    /// Sets it.
    pub fn set(&self, value: T) {
        drop(self.value.replace(value));
        self.changed.notify();
    }
}

impl<T: Clone> ArcRwSignal<T> {
    /// A copy of it; told when it changes.
    pub fn get(&self) -> T {
        self.with(T::clone)
    }

    /// A copy of it as it is.
    pub fn get_untracked(&self) -> T {
        self.with_untracked(T::clone)
    }
}

fn held(value: StoredValue<Rc<dyn Any>, LocalStorage>) -> Option<Rc<dyn Any>> {
    use leptos::prelude::GetValue;
    value.try_get_value()
}

fn version(differs: Box<dyn Call<(), bool>>) -> leptos::prelude::Memo<u32> {
    // Leptos asks for what could be sent to another thread; the page has one.
    let differs = SendWrapper::new(differs);
    leptos::prelude::Memo::new(move |known: Option<&u32>| {
        let known = known.copied().unwrap_or_default();
        known.wrapping_add(u32::from(differs.call(())))
    })
}
