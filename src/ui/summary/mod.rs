//! Summaries of messages that left the window: at their place in the transcript, and the choice in the menu of rules.

mod choice;
mod note;
mod remembered;

pub use choice::SummaryChoice;
use leptos::prelude::*;
pub use note::SummaryNote;
pub use remembered::remember_summary;
use sash_chat::Id;
use sash_state::Stores;

/// The message after which the summary stands: that which is being written, that in use, or the newest one.
pub fn summary_place(stores: Stores) -> Signal<Option<Id>> {
    let summaries = stores.summaries();
    Signal::derive(move || {
        let open = stores.kernel().chats().open_id();
        let written = summaries.draft.with(|draft| {
            let draft = draft.as_ref().filter(|draft| draft.chat == open)?;
            Some(draft.through)
        });
        written.or_else(|| Some(summaries.shown()?.through))
    })
}
