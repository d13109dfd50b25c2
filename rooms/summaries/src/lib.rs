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

/// Gives the page the store, and begins the summary again that a reload of this tab broke off.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel) {
    use leptos::prelude::*;
    use sash_view::browser::tab_storage;

    const SUMMARY: &str = "sash:summary";
    let summaries = Summaries::new(kernel);
    provide_context(summaries);
    let former = tab_storage::remembered(SUMMARY);
    Effect::new(move || {
        let unfinished = summaries.unfinished.get();
        let kept = unfinished.filter(|chat| !kernel.chats().is_temporary(*chat));
        let written = kept.map(|chat| chat.to_string());
        // If there is no room, a reload does not take it up.
        tab_storage::remember(SUMMARY, written.as_deref());
    });
    summaries.resume(former.and_then(|item| item.parse().ok()));
}
