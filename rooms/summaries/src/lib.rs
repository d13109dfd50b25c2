//! Summaries of what left the window: written by the model, owned by the person.
//!
//! [`Summaries`] is the store; `view` has the summary at its place in the transcript, and the choice in the menu of rules.

mod request;
mod store;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use store::{Summaries, SummaryDraft};
#[cfg(target_arch = "wasm32")]
pub use view::{SummaryChoice, SummaryNote, summary_place};

/// Gives the page the store, which begins a summary again that a reload broke off.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel) {
    let summaries = Summaries::new(kernel);
    view::remember(summaries);
    leptos::prelude::provide_context(summaries);
}
