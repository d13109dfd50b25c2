//! Choices of how the page looks. Each is a key of localStorage, from which `boot.js` applies it before the first
//! paint, and an attribute of the root element.

use codee::{Decoder, Encoder};
use leptos::prelude::*;
use leptos_use_storage::use_local_storage;
use std::convert::Infallible;

/// A choice of few.
pub trait StoredChoice: Copy + Default + PartialEq + Send + Sync + 'static {
    /// The key of localStorage.
    const KEY: &str;
    /// All that can be chosen.
    const ALL: &[Self];

    /// The name under which it is stored, and which the attribute has.
    fn name(self) -> &'static str;
}

/// What is chosen, which follows what another tab chooses.
#[derive(Clone, Copy)]
pub struct Appearance<T: StoredChoice> {
    /// What is chosen.
    pub chosen: Signal<T>,
    /// Chooses and stores.
    pub choose: WriteSignal<T>,
}

impl<T: StoredChoice> Appearance<T> {
    /// Provides the stored choice as a context. If it cannot be stored, the person has to choose again.
    pub fn provide() {
        let (chosen, choose, _) = use_local_storage::<T, BareName>(T::KEY);
        provide_context(Self { chosen, choose });
    }

    /// The choice, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// The value of the attribute, which the default does not have.
    #[must_use]
    pub fn attribute(self) -> Option<&'static str> {
        let chosen = self.chosen.get();
        (chosen != T::default()).then(|| chosen.name())
    }
}

/// Stores a choice by its bare name, because `boot.js` reads it. A name that none has is the default.
struct BareName;

impl<T: StoredChoice> Encoder<T> for BareName {
    type Error = Infallible;
    type Encoded = String;

    fn encode(choice: &T) -> Result<String, Infallible> {
        Ok(choice.name().to_owned())
    }
}

impl<T: StoredChoice> Decoder<T> for BareName {
    type Error = Infallible;
    type Encoded = str;

    fn decode(name: &str) -> Result<T, Infallible> {
        let found = T::ALL.iter().find(|choice| choice.name() == name);
        Ok(found.copied().unwrap_or_default())
    }
}
