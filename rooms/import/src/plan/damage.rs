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
/// How many bytes are looked into at either end of a text. A file of 32 MB would hold up the page for seconds.
const LOOKED_INTO: usize = 64 * 1024;

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

/// Whether `what` is near the start or the end of a text: an export repeats its names in each chat.
fn contains(text: &[u8], what: &[u8]) -> bool {
    let is_in = |part: &[u8]| part.windows(what.len()).any(|part| part == what);
    match text.len().checked_sub(LOOKED_INTO) {
        None | Some(0) => is_in(text),
        Some(rest) => {
            let start = text.get(..LOOKED_INTO).unwrap_or(text);
            let end = text.get(rest..).unwrap_or_default();
            is_in(start) || is_in(end)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_looked_into_at_its_ends() {
        let filler = vec![b' '; 2 * LOOKED_INTO];
        let (filler, mark) = (filler.as_slice(), b"\"mapping\"".as_slice());
        assert!(has_marks(&[mark, filler].concat()));
        assert!(has_marks(&[filler, mark].concat()));
        assert!(!has_marks(&[filler, mark, filler].concat()));
        assert!(has_marks(mark));
    }
}
