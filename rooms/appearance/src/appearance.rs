//! Choices of how the page looks. Each is a key of localStorage, from which `boot.js` applies it before the first
//! paint, and an attribute of the root element.

use codee::string::FromToStringCodec;
use leptos::prelude::*;
use leptos_use_storage::use_local_storage;
use std::fmt::Display;
use std::str::FromStr;

/// A choice, which follows what another tab chooses.
#[derive(Clone, Copy)]
pub struct Appearance<T: Send + Sync + 'static> {
    chosen: Signal<T>,
    choose: WriteSignal<T>,
}

impl<T> Appearance<T>
where
    T: Copy + Default + Display + FromStr<Err = UnknownName> + PartialEq + Send + Sync + 'static,
{
    /// Provides the stored choice as a context. It is stored by its bare name, because `boot.js` reads it; if it cannot
    /// be stored, the person has to choose again.
    pub fn provide(key: &'static str) {
        let (chosen, choose, _) = use_local_storage::<T, FromToStringCodec>(key);
        provide_context(Self { chosen, choose });
    }

    /// The choice, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// What is chosen.
    #[must_use]
    pub fn get(self) -> T {
        self.chosen.get()
    }

    /// The name of what is chosen.
    #[must_use]
    pub fn name(self) -> String {
        self.get().to_string()
    }

    /// Chooses and stores.
    pub fn set(self, choice: T) {
        self.choose.set(choice);
    }

    /// Chooses by its name.
    pub fn set_named(self, name: &str) {
        self.set(name.parse().unwrap_or_default());
    }

    /// The value of the attribute, which the default does not have.
    #[must_use]
    pub fn attribute(self) -> Option<String> {
        let chosen = self.get();
        (chosen != T::default()).then(|| chosen.to_string())
    }
}

/// A name that no choice has.
#[derive(Clone, Copy, Debug)]
pub struct UnknownName;
