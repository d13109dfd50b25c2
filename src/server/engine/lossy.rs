//! Parses an engine's JSON as leniently as browsers decode text: invalid UTF-8 and unpaired surrogates become
//! U+FFFD. Real engines send both when a token ends inside a character, and one such token must not end an
//! answer.

use serde_json::Value;
use std::borrow::Cow;

/// The replacement character U+FFFD as a JSON escape.
const REPLACEMENT: &str = "\\ufffd";

/// Parses one JSON value.
///
/// # Errors
/// If it is not JSON even after the replacement.
pub fn parse(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    serde_json::from_slice(bytes).or_else(|error| {
        let text = String::from_utf8_lossy(bytes);
        match replace_lone_surrogates(&text) {
            // Nothing was replaced, so the first error stands.
            Cow::Borrowed(_) if matches!(text, Cow::Borrowed(_)) => Err(error),
            mended => {
                let value = serde_json::from_str(&mended)?;
                tracing::info!("the engine sent characters that cannot be read; replaced");
                Ok(value)
            }
        }
    })
}

/// Replaces each unpaired surrogate escape with U+FFFD.
fn replace_lone_surrogates(text: &str) -> Cow<'_, str> {
    let mut mended = String::new();
    // Start of the part that was not copied yet.
    let mut from = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find('\\') {
        let escape = at + found;
        match unit(&text[escape..]) {
            Some(0xd800..=0xdbff) if is_low(&text[escape + 6..]) => at = escape + 12,
            Some(0xd800..=0xdfff) => {
                mended.push_str(&text[from..escape]);
                mended.push_str(REPLACEMENT);
                at = escape + 6;
                from = at;
            }
            Some(_) => at = escape + 6,
            // Another escape: skip the character after the backslash, which may be a backslash.
            None => {
                let length = text[escape + 1..].chars().next().map_or(0, char::len_utf8);
                at = escape + 1 + length;
            }
        }
    }
    match mended.is_empty() {
        true => Cow::Borrowed(text),
        false => Cow::Owned(mended + &text[from..]),
    }
}

/// The UTF-16 unit of the `\u` escape that a text begins with.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let is_hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
    u16::from_str_radix(digits, 16).ok().filter(|_| is_hex)
}

fn is_low(text: &str) -> bool {
    matches!(unit(text), Some(0xdc00..=0xdfff))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn what_cannot_be_read_is_replaced_and_the_rest_stays() {
        for (bytes, expected) in [
            (&b"\"a\xffb\""[..], "a\u{fffd}b"),
            (b"\"a\xe6\x97 b\"", "a\u{fffd} b"),
            (br#""a\ud800b""#, "a\u{fffd}b"),
            (br#""a\udc00b""#, "a\u{fffd}b"),
            (br#""\ud83d\ud83d\ude00""#, "\u{fffd}😀"),
            (br#""\ud83d\u0041""#, "\u{fffd}A"),
            (br#""\ud83d\n\uD83D""#, "\u{fffd}\n\u{fffd}"),
            (b"\"\xff\\ud800\"", "\u{fffd}\u{fffd}"),
            // An escaped backslash, followed by the letter u.
            (b"\"\\\\ud800\xff\"", "\\ud800\u{fffd}"),
        ] {
            assert_eq!(parse(bytes).unwrap(), json!(expected), "{bytes:?}");
        }
    }

    #[test]
    fn what_is_no_json_stays_an_error() {
        for bytes in [
            &b"\xff"[..],
            b"{oops",
            br#"{"a":"\ud800"#,
            br#""\ud8"#,
            b"\"\\",
            b"",
        ] {
            assert!(parse(bytes).is_err(), "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn what_can_be_read_is_read_as_it_is(text in any::<String>()) {
            let written = json!({ "t": text });
            prop_assert_eq!(parse(written.to_string().as_bytes()).unwrap(), written);
        }

        #[test]
        fn any_bytes_within_a_string_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let plain = |b: &u8| *b >= 0x20 && *b != b'"' && *b != b'\\';
            let inner: Vec<u8> = bytes.into_iter().filter(plain).collect();
            let line = [&b"\""[..], &inner, b"\""].concat();
            prop_assert_eq!(parse(&line).unwrap(), json!(String::from_utf8_lossy(&inner)));
        }

        #[test]
        fn any_escapes_are_read(units in proptest::collection::vec(any::<u16>(), 0..12)) {
            let text: String = units.iter().map(|unit| format!("\\u{unit:04x}")).collect();
            let expected = String::from_utf16_lossy(&units);
            prop_assert_eq!(parse(format!("\"{text}\"").as_bytes()).unwrap(), json!(expected));
        }
    }
}
