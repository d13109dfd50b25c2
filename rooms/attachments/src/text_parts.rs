//! Parts of a long text: at its headings, or of about equal length.

use sash_words::t;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPart {
    /// What it is: a heading, a page, a number.
    pub title: String,
    /// Its text.
    pub text: String,
    /// The choice to put it into the prompt.
    pub is_chosen: bool,
}

impl TextPart {
    /// A part that goes into the prompt.
    #[must_use]
    pub fn new(title: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            text: text.into(),
            is_chosen: true,
        }
    }
}

/// The most parts that are offered.
const MAX_PARTS: usize = 200;
/// The longest title, in characters.
const MAX_TITLE_CHARS: usize = 80;

/// Divides Markdown before each heading of the first two levels. Without two of them it is one part.
#[must_use]
pub fn heading_parts(text: &str) -> Vec<TextPart> {
    let mut parts: Vec<TextPart> = Vec::new();
    let mut fence: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        match fence {
            Some(open) if start.starts_with(open) => fence = None,
            None if start.starts_with("```") => fence = Some("```"),
            None if start.starts_with("~~~") => fence = Some("~~~"),
            _ => {}
        }
        let title = heading(line).filter(|_| fence.is_none() && parts.len() < MAX_PARTS);
        match (title, parts.last_mut()) {
            (Some(title), _) => parts.push(TextPart::new(shortened(title), line)),
            (None, Some(last)) => last.text.push_str(line),
            (None, None) => parts.push(TextPart::new(t!(chat.text_part_beginning), line)),
        }
    }
    // White space before the first heading is no part.
    if parts.len() > 1 && parts[0].text.trim().is_empty() {
        parts.remove(0);
    }
    parts
}

/// The words of a heading of the first two levels.
fn heading(line: &str) -> Option<&str> {
    let rest = line
        .strip_prefix("## ")
        .or_else(|| line.strip_prefix("# "))?;
    let title = rest.trim().trim_end_matches('#').trim_end();
    (!title.is_empty()).then_some(title)
}

fn shortened(title: &str) -> String {
    title.chars().take(MAX_TITLE_CHARS).collect()
}

/// Divides a text at line ends into `count` parts of about equal length.
#[must_use]
pub fn equal_parts(text: &str, count: usize) -> Vec<TextPart> {
    let count = count.clamp(1, MAX_PARTS);
    let length = text.len().div_ceil(count).max(1);
    let mut parts: Vec<String> = vec![String::new()];
    for line in text.split_inclusive('\n') {
        for piece in pieces(line, length) {
            let is_full = parts
                .last()
                .is_some_and(|last| !last.is_empty() && last.len() + piece.len() > length);
            match parts.last_mut().filter(|_| !is_full) {
                Some(last) => last.push_str(piece),
                None => parts.push(piece.to_owned()),
            }
        }
    }
    let of = parts.len();
    let part = |(n, text)| TextPart::new(t!(chat.text_part, n = &n, of = &of), text);
    (1..).zip(parts).map(part).collect()
}

/// A line in pieces of at most that many bytes, so that a text without line ends is divided too.
fn pieces(line: &str, length: usize) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let (piece, after) = rest.split_at(rest.floor_char_boundary(length.max(4)));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

/// The text with the line ends of a text field, which knows no others.
#[must_use]
pub fn with_line_feeds(text: String) -> String {
    match text.contains('\r') {
        true => text.replace("\r\n", "\n").replace('\r', "\n"),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(parts: &[TextPart]) -> Vec<&str> {
        parts.iter().map(|part| part.title.as_str()).collect()
    }

    fn joined(parts: &[TextPart]) -> String {
        parts.iter().map(|part| part.text.as_str()).collect()
    }

    #[test]
    fn markdown_is_divided_before_its_headings_and_not_within_code() {
        let text = "Intro\n# One\na\n### deep\n## Two ##\n```sh\n# a comment\n```\n#hashtag\n";
        let parts = heading_parts(text);
        assert_eq!(titles(&parts), ["Beginning", "One", "Two"]);
        assert_eq!(joined(&parts), text);
        assert_eq!(titles(&heading_parts("\n# Only\n")), ["Only"]);
        assert_eq!(titles(&heading_parts("no heading")), ["Beginning"]);
        assert!(heading_parts("").is_empty());
        let many = heading_parts(&"# h\n".repeat(10_000));
        assert_eq!(many.len(), MAX_PARTS);
    }

    #[test]
    fn equal_parts_lose_nothing_and_are_about_equal() {
        let text = "line of words\n".repeat(1_000);
        for text in [text.as_str(), &"é".repeat(10_000), "", "short"] {
            for count in [1, 3, 10] {
                let parts = equal_parts(text, count);
                assert_eq!(joined(&parts), text);
                let most = text.len().div_ceil(count).max(4);
                assert!(parts.iter().all(|part| part.text.len() <= most), "{count}");
                assert!(parts.len() <= 2 * count, "{}", parts.len());
            }
        }
        assert_eq!(equal_parts("a\nb\n", 2)[1].title, "Part 2 of 2");
    }
}
