//! Lines of what goes with a prompt of the queue, at its row.

use super::piece_list::{PieceList, include_button, leave_out_button};
use crate::Recalls;
use leptos::prelude::*;
use sash_chat::{FoundMessage, Id, PromptDraft};
use sash_view::composer::ComposerState;
use sash_view::stores::use_kernel;
use sash_words::{count, t};

/// The older messages that go with a prompt of the queue, each with a button that leaves it out, and those that were found
/// since, each with one that includes it. Empty without any.
#[component]
pub fn QueuedRecalls(
    /// The prompt.
    prompt: Signal<PromptDraft>,
    /// Has a message go with it.
    include: Callback<FoundMessage>,
    /// Leaves a message out of it.
    leave_out: Callback<Id>,
) -> impl IntoView {
    let answering = ComposerState::expect().answering;
    let kernel = use_kernel();
    let recalls = Recalls::expect();
    let going = Memo::new(move |_| {
        prompt.with(|prompt| prompt.choice.known().cloned().collect::<Vec<_>>())
    });
    // Not with each letter of the draft: what fits is looked for in the whole branch.
    let since = Memo::new(move |_| {
        answering.track();
        kernel.chats().path.track();
        kernel.steering().recall_setting.track();
        going.track();
        untrack(|| prompt.with(|prompt| recalls.found_since(prompt)))
    });
    let words = move || {
        t!(
            recall.recall_of_queued,
            count = count::older_messages(going.with(Vec::len))
        )
    };

    view! {
        <PieceList
            words=Signal::derive(words)
            found=going
            button=leave_out_button(move |found| leave_out.run(found.piece.message))
        />
        <PieceList
            words=t!(recall.found_since).to_owned()
            found=since
            button=include_button(None, move |found| include.run(found))
        />
    }
}
