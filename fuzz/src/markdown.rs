//! Markdown: a text that was streamed shows what the whole text shows.

use super::text;
use sash_markdown::Document;

/// Parses a text whole and in pieces of as many characters as the first byte says, and compares.
///
/// # Panics
/// When the blocks differ.
pub fn run(data: &[u8]) {
    let (first, text) = text(data);
    let piece = usize::from(first % 8) + 1;
    let mut streamed = Document::new();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let end = rest
            .char_indices()
            .nth(piece)
            .map_or(rest.len(), |(at, _)| at);
        let (now, later) = rest.split_at(end);
        streamed.append(now);
        rest = later;
    }
    streamed.finish();
    let mut whole = Document::new();
    whole.append(&text);
    whole.finish();
    assert_eq!(streamed.blocks(), whole.blocks(), "{text:?}");
}
