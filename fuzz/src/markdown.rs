//! Markdown: a streamed text shows the same as the text parsed at once.

use super::text;
use sash_markdown::Document;

/// Parses a text at once and in pieces of as many characters as the first byte gives, and compares
/// the blocks.
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
