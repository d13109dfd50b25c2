//! The text of a question, with the files in it folded.

use super::file_fold::FileFold;
use crate::ui::parts::plural;
use leptos::either::Either;
use leptos::prelude::*;
use sash_chat::{QuestionPart, question_parts, shown_lines};
use sash_markdown::visible;

/// What the person wrote, and each file as a fold that names it.
#[component]
pub fn QuestionText(
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
                length=plural(shown_lines(text), "line")
            />
        }),
    });
    Either::Right(parts.collect_view())
}
