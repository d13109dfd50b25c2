//! The queue: prompts that were written while an answer ran, and wait for their turn.
//!
//! [`Queue`] is the store; `view` has the list above the field.

mod store;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use store::{Queue, QueuePause, QueueState};
#[cfg(target_arch = "wasm32")]
pub use view::QueueList;

/// Gives the page the store.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel) {
    leptos::prelude::provide_context(Queue::new(kernel));
}
