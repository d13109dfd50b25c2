//! A question as it was written.

use super::message_state::MessageState;
use crate::files::FileFold;
use leptos::either::Either;
use leptos::html;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::{Id, QuestionPart, question_parts};
use sash_markdown::visible;
use sash_stores::{ChatEvent, Kernel};
use sash_text::{count_lines, shown_lines};
use sash_words::{
    count::{self, grouped},
    t,
};
use std::collections::HashSet;

/// A question of more lines is folded: most pasted text is not read again.
const UNFOLDED_LINES: usize = 20;

/// The long questions that are unfolded, kept while their chat is open, because rows are unmounted when they
/// leave the screen.
#[derive(Clone, Copy)]
pub struct UnfoldedQuestions(RwSignal<HashSet<Id>>);

impl UnfoldedQuestions {
    /// Empty at first, and again when another chat is opened.
    pub fn new(kernel: Kernel) -> Self {
        let unfolded = RwSignal::new(HashSet::new());
        // Who comes back to a chat finds its questions folded.
        kernel.chats().events().on(move |event| {
            if *event == ChatEvent::Left {
                unfolded.update(HashSet::clear);
            }
        });
        Self(unfolded)
    }

    fn contains(self, id: Id) -> bool {
        self.0.with(|ids| ids.contains(&id))
    }

    /// Unfolds a question.
    pub fn unfold(self, id: Id) {
        self.0.update(|ids| _ = ids.insert(id));
    }

    fn toggle(self, id: Id) {
        self.0.update(|ids| {
            if !ids.remove(&id) {
                ids.insert(id);
            }
        });
    }
}

/// The lines of what the person wrote, each file in it being one.
fn written_lines(question: &str) -> usize {
    let parts = question_parts(question).into_iter();
    let lines = parts.map(|part| match part {
        QuestionPart::Text(text) => shown_lines(text),
        QuestionPart::File { .. } => 1,
    });
    lines.sum()
}

/// The question. A long one is folded, with a button that shows all of it.
#[component]
pub fn Question() -> impl IntoView {
    let MessageState { id, text, .. } = MessageState::expect();
    // Files in it are folded by themselves.
    let lines = text.with_untracked(|text| written_lines(text));
    let text = text.get_untracked();
    let element_id = format!("said-{id}");
    if lines <= UNFOLDED_LINES {
        return view! {
            <div class="message-text said" id=element_id dir="auto">
                <QuestionText text />
            </div>
        }
        .into_any();
    }
    let unfolded = expect_context::<UnfoldedQuestions>();
    let place = NodeRef::<html::Div>::new();
    let folded = Memo::new(move |_| !unfolded.contains(id));
    let toggle = move |_| {
        unfolded.toggle(id);
        if folded.get_untracked() {
            // The page became much shorter: scroll the question into view.
            request_animation_frame(move || {
                if let Some(place) = place.try_get_untracked().flatten() {
                    page::scroll_to(&place);
                }
            });
        }
    };
    let words = move || match folded.get() {
        true => t!(transcript.show_all_lines, lines = grouped(lines as u64)),
        false => t!(common.show_less).to_owned(),
    };
    view! {
        <div>
            <div
                class="message-text said"
                node_ref=place
                id=element_id.clone()
                dir="auto"
                data-folded=move || folded.get()
            >
                <QuestionText text />
            </div>
            <button
                type="button"
                class="link fold"
                aria-controls=element_id
                aria-expanded=move || (!folded.get()).to_string()
                on:click=toggle
            >
                {words}
            </button>
        </div>
    }
    .into_any()
}

/// What the person wrote, and each file as a fold that names it.
#[component]
fn QuestionText(
    /// The question.
    text: String,
) -> impl IntoView {
    let parts = question_parts(&text);
    let has_files = parts
        .iter()
        .any(|part| matches!(part, QuestionPart::File { .. }));
    if !has_files {
        // White space around it is shown too.
        return Either::Left(visible(&text));
    }
    let parts = parts.into_iter().map(|part| match part {
        QuestionPart::Text(text) => Either::Left(visible(text)),
        QuestionPart::File { name, text } => Either::Right(view! {
            <FileFold
                name=name.to_owned()
                text=text.to_owned()
                length=count::lines(count_lines(text))
            />
        }),
    });
    Either::Right(parts.collect_view())
}
