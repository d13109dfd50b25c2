//! Versions by the person: answers that were changed, and branches that go on in a chat of their own.
//!
//! [`Versions`] is the store; `view` has the field of an answer and the entries of the menu.

mod store;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use store::{Fork, Versions};
#[cfg(target_arch = "wasm32")]
pub use view::{AnswerEditField, EditAnswerItem, ForkItem};

/// Gives the page the store, which copies a chat by `fork`.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel, fork: Fork) {
    leptos::prelude::provide_context(Versions::new(kernel, fork));
}
