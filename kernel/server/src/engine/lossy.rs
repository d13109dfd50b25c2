//! Parses an engine's JSON as leniently as browsers decode text: invalid UTF-8 and unpaired surrogates become
//! U+FFFD. Real engines send both when a token ends inside a character, and one such token must not end an
//! answer.
//!
//! In the pieces of an answer the next piece may have the rest of such a character. A Rust string cannot hold a half, so
//! [`parse_marked`] writes each as a mark and a private character, which [`TextJoiner`](super::joiner::TextJoiner) reads.

use serde_json::Value;
use std::borrow::Cow;

/// The replacement character U+FFFD as a JSON escape.
const REPLACEMENT: &str = "\\ufffd";
/// The characters that may mark a half: Unicode has no character there.
const MARKS: std::ops::RangeInclusive<char> = '\u{fdd0}'..='\u{fdef}';
/// The private character of the first surrogate; the others follow it.
const FIRST_SURROGATE: u32 = 0xe000;
/// The private character of the byte 0; the other bytes follow it.
const FIRST_BYTE: u32 = 0xe800;

/// A part of a character that was cut in two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharacterPart {
    /// Half of a surrogate pair.
    Surrogate(u16),
    /// A byte that is not UTF-8 without its neighbours.
    Byte(u8),
}

impl CharacterPart {
    /// The part that a private character after a mark means.
    pub fn read(character: char) -> Option<Self> {
        let code = u32::from(character);
        let byte = code.checked_sub(FIRST_BYTE);
        let byte = byte.and_then(|byte| u8::try_from(byte).ok());
        let unit = code
            .checked_sub(FIRST_SURROGATE)
            .filter(|unit| *unit < 0x800);
        let unit = unit.and_then(|unit| u16::try_from(0xd800 + unit).ok());
        byte.map(Self::Byte).or(unit.map(Self::Surrogate))
    }

    /// Writes the part, which is between the quotes of a JSON text.
    fn write(self, mark: Option<char>, out: &mut String) {
        let code = match self {
            Self::Surrogate(unit) => FIRST_SURROGATE + u32::from(unit) - 0xd800,
            Self::Byte(byte) => FIRST_BYTE + u32::from(byte),
        };
        match mark.zip(char::from_u32(code)) {
            Some((mark, code)) => out.extend([mark, code]),
            None => out.push_str(REPLACEMENT),
        }
    }
}

/// Parses one JSON value. Halves of characters are marked by the character that is returned; `None` if there are none.
///
/// # Errors
/// If it is not JSON even so.
pub fn parse_marked(bytes: &[u8]) -> Result<(Value, Option<char>), serde_json::Error> {
    serde_json::from_slice(bytes)
        .map(|value| (value, None))
        .or_else(|error| {
            let text = String::from_utf8_lossy(bytes);
            let escapes = text.to_ascii_lowercase();
            let is_free = |mark: &char| {
                !text.contains(*mark) && !escapes.contains(&format!("\\u{:04x}", u32::from(*mark)))
            };
            let mark = MARKS.into_iter().find(is_free);
            let mut marked = String::with_capacity(text.len());
            for chunk in bytes.utf8_chunks() {
                marked.push_str(chunk.valid());
                for byte in chunk.invalid() {
                    CharacterPart::Byte(*byte).write(mark, &mut marked);
                }
            }
            match replace_lone_surrogates(&marked, mark) {
                Cow::Borrowed(_) if matches!(text, Cow::Borrowed(_)) => Err(error),
                mended => Ok((serde_json::from_str(&mended)?, mark)),
            }
        })
}

/// Parses one JSON value.
///
/// # Errors
/// If it is not JSON even after the replacement.
pub fn parse(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    serde_json::from_slice(bytes).or_else(|error| {
        let text = String::from_utf8_lossy(bytes);
        match replace_lone_surrogates(&text, None) {
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

/// Replaces each unpaired surrogate escape with U+FFFD, or marks it.
fn replace_lone_surrogates(text: &str, mark: Option<char>) -> Cow<'_, str> {
    let mut mended = String::new();
    // Start of the part that was not copied yet.
    let mut from = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find('\\') {
        let escape = at + found;
        match unit(&text[escape..]) {
            Some(0xd800..=0xdbff) if is_low(&text[escape + 6..]) => at = escape + 12,
            Some(half @ 0xd800..=0xdfff) => {
                mended.push_str(&text[from..escape]);
                CharacterPart::Surrogate(half).write(mark, &mut mended);
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
