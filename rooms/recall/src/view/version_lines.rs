//! Lines of what goes with an edited version of a question, below its field.

use super::piece_list::{PieceList, about_tokens, include_button, leave_out_button};
use crate::Recalls;
use crate::recalls::TYPING_PAUSE;
use leptos::prelude::*;
use sash_chat::{FoundMessage, RecalledPiece};
use sash_view::stores::use_kernel;
use sash_view::transcript::EditedQuestion;
use sash_words::{count, t};

/// The older messages that go with the version, each with a button that leaves it out, and those that went with the
/// question and do not go with the version, each with one that includes it. Empty without any.
#[component]
pub fn VersionRecalls() -> impl IntoView {
    let EditedQuestion {
        id: question,
        text,
        choice,
    } = expect_context();
    let kernel = use_kernel();
    let recalls = Recalls::expect();
    let former = recalls.of_question(question);
    let former = former.map(|block| block.pieces).unwrap_or_default();
    let settled = RwSignal::new(text.get_untracked());
    // The field may be closed before the branch is indexed.
    let settle = move || {
        if let Some(text) = text.try_get_untracked() {
            _ = settled.try_set(text);
        }
    };
    let mut in_pause = debounce(TYPING_PAUSE, move |()| recalls.when_indexed(settle));
    Effect::new(move || {
        text.track();
        in_pause(());
    });
    let block = Memo::new(move |_| {
        settled.with(|text| {
            choice.with(|choice| untrack(|| recalls.for_version(question, text, choice)))
        })
    });
    let going = Signal::derive(move || {
        let pieces = block.with(|block| block.as_ref().map(|block| block.pieces.clone()));
        found_by_nothing(pieces.unwrap_or_default())
    });
    let goes = move |id| block.with(|block| block.as_ref().is_some_and(|block| block.quotes(id)));
    let not_going = Memo::new(move |_| {
        let mut pieces = former.clone();
        pieces.retain(|piece| !goes(piece.message));
        found_by_nothing(pieces)
    });
    let words = move || {
        block.with(|block| {
            let text = block.as_ref().map_or("", |block| block.text.as_str());
            t!(
                recall.version_recall_words,
                count = count::older_messages(going.with(Vec::len)),
                tokens = about_tokens(kernel, text)
            )
        })
    };
    let include = move |found: FoundMessage| {
        let id = found.piece.message;
        choice.update(|choice| choice.include(found));
        if !untrack(|| goes(id)) {
            choice.update(|choice| choice.exclude(id));
            let why = t!(recall.not_included);
            kernel.notices().show(why);
        }
    };
    let leave_out =
        move |found: FoundMessage| choice.update(|choice| choice.exclude(found.piece.message));

    view! {
        <PieceList
            label=t!(recall.recalled_for_version)
            words=Signal::derive(words)
            found=going
            button=leave_out_button(leave_out)
        />
        <PieceList
            label=t!(recall.recalled_before)
            words=t!(recall.question_sent_with).to_owned()
            found=not_going
            button=include_button(Some("link"), include)
        />
    }
}

fn found_by_nothing(pieces: Vec<RecalledPiece>) -> Vec<FoundMessage> {
    pieces.into_iter().map(FoundMessage::from).collect()
}
