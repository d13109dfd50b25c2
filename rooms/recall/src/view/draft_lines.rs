//! Lines of what would be recalled for the draft, above the field, which they never move.

use super::piece_list::{PieceList, about_tokens, leave_out_button};
use crate::Recalls;
use leptos::prelude::*;
use sash_view::stores::use_kernel;
use sash_words::{count, t};

/// The older messages that go with the draft, each with a button that leaves it out. Empty without any.
#[component]
pub fn RecallLines() -> impl IntoView {
    let kernel = use_kernel();
    let recalls = Recalls::expect();
    let block = kernel.steering().quotes;
    let found = Signal::derive(move || recalls.with_words(block.get()));
    let words = move || {
        block.with(|block| {
            let text = block.as_ref().map_or("", |block| block.text.as_str());
            t!(
                recall.recalled_for_prompt_words,
                what = count::older_messages(found.with(Vec::len)),
                tokens = about_tokens(kernel, text)
            )
        })
    };
    let button = leave_out_button(move |found| recalls.exclude(found.piece.message));

    view! {
        <PieceList
            label=t!(recall.recalled_for_prompt)
            words=Signal::derive(words)
            found
            button
        />
    }
}
