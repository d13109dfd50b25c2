//! Joins the pieces of a text, which an engine may have cut inside a character.

use super::lossy::CharacterPart;
use super::reader::MarkedValue;

/// Joins the pieces of one text. A half of a character at the end of a piece waits for the next one; what has no other
/// half becomes U+FFFD.
#[derive(Debug, Default)]
pub struct TextJoiner {
    /// The first half of a surrogate pair.
    high: Option<u16>,
    /// The first bytes of a character.
    bytes: Vec<u8>,
}

impl TextJoiner {
    /// Adds a piece, in which `mark` stands before each half; returns what is whole.
    pub fn push(&mut self, piece: &str, mark: Option<char>) -> String {
        let mut out = String::with_capacity(piece.len() + 4);
        let Some(mark) = mark else {
            if !piece.is_empty() {
                self.flush(&mut out);
                out.push_str(piece);
            }
            return out;
        };
        let mut characters = piece.chars();
        while let Some(character) = characters.next() {
            let part = match character == mark {
                true => characters.next().and_then(CharacterPart::read),
                false => None,
            };
            match part {
                Some(CharacterPart::Surrogate(unit)) => self.push_unit(unit, &mut out),
                Some(CharacterPart::Byte(byte)) => self.push_byte(byte, &mut out),
                None => {
                    self.flush(&mut out);
                    out.push(character);
                }
            }
        }
        out
    }

    /// Returns U+FFFD for a half that still waits.
    pub fn finish(&mut self) -> String {
        let mut out = String::new();
        self.flush(&mut out);
        out
    }

    fn push_unit(&mut self, unit: u16, out: &mut String) {
        let is_low = (0xdc00..=0xdfff).contains(&unit);
        match self.high.filter(|_| is_low) {
            Some(high) => {
                self.high = None;
                out.extend(char::decode_utf16([high, unit]).map(|c| c.unwrap_or('\u{fffd}')));
            }
            None => {
                self.flush(out);
                match is_low {
                    true => out.push('\u{fffd}'),
                    false => self.high = Some(unit),
                }
            }
        }
    }

    /// Bytes that are no character become U+FFFD as in `String::from_utf8_lossy`.
    fn push_byte(&mut self, byte: u8, out: &mut String) {
        if self.high.is_some() {
            self.flush(out);
        }
        self.bytes.push(byte);
        match std::str::from_utf8(&self.bytes) {
            Ok(character) => out.push_str(character),
            Err(error) if error.error_len().is_none() => return,
            Err(error) => {
                out.push('\u{fffd}');
                let refused = error.error_len().unwrap_or(1);
                let rest = self.bytes.split_off(refused.min(self.bytes.len()));
                self.bytes.clear();
                for byte in rest {
                    self.push_byte(byte, out);
                }
                return;
            }
        }
        self.bytes.clear();
    }

    fn flush(&mut self, out: &mut String) {
        if self.high.take().is_some() || !std::mem::take(&mut self.bytes).is_empty() {
            out.push('\u{fffd}');
        }
    }
}

/// A text of which no further piece comes: its halves are joined, or become U+FFFD.
pub fn join_whole(text: &str, mark: Option<char>) -> String {
    let mut joiner = TextJoiner::default();
    let mut joined = joiner.push(text, mark);
    joined += &joiner.finish();
    joined
}

impl MarkedValue {
    /// The value without marks, in which each half of a character is U+FFFD.
    pub fn plain(&self) -> std::borrow::Cow<'_, serde_json::Value> {
        use std::borrow::Cow;
        match self.mark {
            None => Cow::Borrowed(&self.value),
            mark => {
                let mut value = self.value.clone();
                remove_marks(&mut value, mark);
                Cow::Owned(value)
            }
        }
    }
}

fn remove_marks(value: &mut serde_json::Value, mark: Option<char>) {
    use serde_json::Value;
    match value {
        Value::String(text) => *text = join_whole(text, mark),
        Value::Array(items) => items.iter_mut().for_each(|item| remove_marks(item, mark)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|value| remove_marks(value, mark)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::reader::ReplyReader;
    use proptest::prelude::*;

    /// The text of the pieces, each written between the quotes of a JSON text of its own.
    fn joined(pieces: &[&[u8]]) -> String {
        let mut joiner = TextJoiner::default();
        let mut all = String::new();
        for piece in pieces {
            let line = [&b"{\"t\":\""[..], piece, b"\"}"].concat();
            let piece = ReplyReader::default().piece(&line).unwrap();
            let text = piece.value["t"].as_str().unwrap().to_owned();
            all += &joiner.push(&text, piece.mark);
        }
        all + &joiner.finish()
    }

    /// Regression: an emoji whose halves came in two pieces became two U+FFFD.
    #[test]
    fn halves_of_a_character_are_joined_across_pieces() {
        for (pieces, text) in [
            (&[&br"a\ud83d"[..], br"\ude00b"][..], "a😀b"),
            (&[br"\ud83d", b"", br"\ude00"], "😀"),
            (&[br"\uD83D", br"\uDE00\ud83c", br"\udf0d"], "😀🌍"),
            (&[br"\ud83d", b"b"], "\u{fffd}b"),
            (&[br"\ud83d", br"\ud83d\ude00"], "\u{fffd}😀"),
            (&[br"\ud83d", br"\ud83d", br"\ude00"], "\u{fffd}😀"),
            (&[br"\ude00", br"a\ud83d"], "\u{fffd}a\u{fffd}"),
            (&[b"\xf0\x9f", b"\x98\x80!"], "😀!"),
            (&[b"\xe6\x97", b"\xa5"], "日"),
            (&[b"\xe6\x97", b"x\xff"], "\u{fffd}x\u{fffd}"),
            (
                &[br"\ud83d", b"\xe6\x97", br"\ude00"],
                "\u{fffd}\u{fffd}\u{fffd}",
            ),
            // The text itself has the character that marks.
            (
                "\u{fdd0}\u{e03d}\\ud83d|\\ude00\\ufdd1"
                    .split('|')
                    .map(str::as_bytes)
                    .collect::<Vec<_>>()
                    .as_slice(),
                "\u{fdd0}\u{e03d}😀\u{fdd1}",
            ),
        ] {
            assert_eq!(joined(pieces), text, "{pieces:?}");
        }
    }

    proptest! {
        #[test]
        fn any_units_cut_anywhere_are_the_same_text(
            units in proptest::collection::vec(prop_oneof![0xd83c..=0xd83e_u16, 0xde00..=0xde02_u16, 97..=99_u16], 0..12),
            cuts in proptest::collection::vec(any::<bool>(), 12),
        ) {
            let mut pieces = vec![String::new()];
            for (unit, cut) in units.iter().zip(cuts) {
                if cut {
                    pieces.push(String::new());
                }
                *pieces.last_mut().unwrap() += &format!("\\u{unit:04x}");
            }
            let pieces: Vec<&[u8]> = pieces.iter().map(String::as_bytes).collect();
            prop_assert_eq!(joined(&pieces), String::from_utf16_lossy(&units));
        }

        #[test]
        fn any_bytes_cut_anywhere_are_the_same_text(
            bytes in proptest::collection::vec(prop_oneof![Just(0xf0_u8), Just(0x9f), Just(0x98), Just(0x80), Just(0xe6), Just(b'a')], 0..12),
            cut in any::<prop::sample::Index>(),
        ) {
            let at = cut.index(bytes.len() + 1);
            prop_assert_eq!(joined(&[&bytes[..at], &bytes[at..]]), String::from_utf8_lossy(&bytes).into_owned());
        }
    }
}
