//! The text of a question, with the files in it folded.

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
            <FileFold name=name.to_owned() text=text.to_owned() />
        }),
    });
    Either::Right(parts.collect_view())
}

/// A file within a question. Its text is in the page once it was unfolded.
#[component]
fn FileFold(
    /// Its name.
    name: String,
    /// Its text.
    text: String,
) -> impl IntoView {
    let lines = shown_lines(&text);
    let unfolded = RwSignal::new(false);
    let text = StoredValue::new(visible(&text));

    view! {
        <details class="file-fold" on:toggle=move |_| unfolded.set(true)>
            <summary>
                <span dir="auto">{visible(&name)}</span>
                <span class="library-note">{plural(lines, "line")}</span>
            </summary>
            <Show when=move || unfolded.get()>
                <pre tabindex="0" dir="auto">
                    {text.get_value()}
                </pre>
            </Show>
        </details>
    }
}
