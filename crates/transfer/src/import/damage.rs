//! Tells an export that is cut off or damaged from a file that is none.

use super::formats::is_web_page;
use serde::de::IgnoredAny;

/// What is in the files of known programs and hardly anywhere else.
const MARKS: [&[u8]; 8] = [
    b"\"mapping\"",
    b"\"chat_messages\"",
    b"\"conversationId\"",
    b"\"messages\"",
    b"\"messagesTree\"",
    b"\"hollama-sessions\"",
    b"\"key\":\"sash:",
    b"\"app\":\"sash\"",
];
/// What the head of a page that Sash made says.
const OF_SASH: &[u8] = b"<meta name=\"generator\" content=\"Sash\">";

/// Whether a text that is no export as it is may be one that is cut off or damaged: JSON that ends before its end, or a text
/// that is no JSON with a name in it that exports have.
pub(super) fn is_damaged(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let text = text.trim_ascii_start();
    if is_web_page(text) {
        return contains(text, OF_SASH);
    }
    // A number that is cut is no JSON, rather than a value that ends too early.
    let of_number = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
    let end = text.iter().rposition(|byte| !of_number(byte));
    let text = text.get(..end.map_or(0, |at| at + 1)).unwrap_or_default();
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<IgnoredAny>();
    match values.next() {
        Some(Err(error)) if error.is_eof() => matches!(text.first(), Some(b'[' | b'{')),
        Some(Err(_)) => has_marks(text),
        // Behind a value that is whole there may be others, as in JSON Lines.
        Some(Ok(_)) => values.any(|value| value.is_err()) && has_marks(text),
        None => false,
    }
}

/// Whether there is a name in a text that exports have.
pub(super) fn has_marks(text: &[u8]) -> bool {
    MARKS.iter().any(|mark| contains(text, mark))
}

fn contains(text: &[u8], what: &[u8]) -> bool {
    text.windows(what.len()).any(|part| part == what)
}
