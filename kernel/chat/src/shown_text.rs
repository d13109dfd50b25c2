//! The text of a message as a line of a list shows it. Who wrote it decides: what people write is no Markdown and stays as
//! it is, a model's text is without its marks.

use crate::{Message, QuestionPart, Role, question_parts};
use sash_markdown::plain_text;
use std::borrow::Cow;

/// Of a longer answer only the part around the match is parsed: a list has many of them.
const MAX_PARSED_BYTES: usize = 16 << 10;

/// The text of a message for an excerpt. `find` gives the place of what is looked for; where only the source has it (the
/// address of a link, a file within a question), the source is shown.
#[must_use]
pub fn shown_text(message: &Message, find: impl Fn(&str) -> Option<usize>) -> Cow<'_, str> {
    let source = message.content.as_str();
    let found = find(source);
    let shown = match message.role {
        Role::Assistant => Cow::Owned(plain_text(part_around(source, found.unwrap_or_default()))),
        Role::User => without_files(source),
        Role::System | Role::Tool => Cow::Borrowed(source),
    };
    match found.is_some() && find(&shown).is_none() {
        true => Cow::Borrowed(source),
        false => shown,
    }
}

/// What the person wrote; a file in it by its name.
fn without_files(question: &str) -> Cow<'_, str> {
    let parts = question_parts(question);
    let is_file = |part: &QuestionPart| matches!(part, QuestionPart::File { .. });
    if !parts.iter().any(is_file) {
        return Cow::Borrowed(question);
    }
    let written = parts.iter().filter(|part| !is_file(part));
    let files = parts.iter().filter(|part| is_file(part));
    // The files stand before what is asked about them, which says more.
    let words = written.chain(files).map(|part| match part {
        QuestionPart::Text(text) => text,
        QuestionPart::File { name, .. } => *name,
    });
    Cow::Owned(words.collect::<Vec<_>>().join("\n"))
}

/// The lines around a place.
fn part_around(text: &str, at: usize) -> &str {
    if text.len() <= MAX_PARSED_BYTES {
        return text;
    }
    let half = MAX_PARSED_BYTES / 2;
    let from = text.floor_char_boundary(at.saturating_sub(half));
    let to = text.floor_char_boundary(at.saturating_add(half));
    let before = text.get(..from).unwrap_or_default();
    let from = before.rfind('\n').map_or(0, |end| end + 1);
    // A text without line ends would be parsed from its beginning.
    let from = match at.saturating_sub(from) > MAX_PARSED_BYTES {
        true => text.floor_char_boundary(at.saturating_sub(half)),
        false => from,
    };
    text.get(from..to).unwrap_or_default()
}
