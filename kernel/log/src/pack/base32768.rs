//! base32768: bytes as text with 15 bits a character, each a single UTF-16 unit.
//!
//! The characters are U+3400 to U+A48C (ideographs, hexagrams, Yi syllables) and U+E000 to U+EF72 (private
//! use): none is a surrogate, and no Unicode normalization changes any of them. The crate of this name has
//! had one release, in 2019; the format differs from others in any case, because theirs pad with characters
//! of a second alphabet.
//!
//! Padding: one bit that is set follows the last byte, then zero bits up to the end of the last character.

/// Start and length of the first range of characters.
const FIRST: u32 = 0x3400;
const FIRST_LENGTH: u32 = 0xa48d - FIRST;
/// Start of the second range.
const SECOND: u32 = 0xe000;
const BITS: u32 = 15;

/// Encodes bytes as text.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity((bytes.len() * 8 / 15 + 1) * 3);
    let (mut bits, mut held) = (0_u32, 0_u32);
    let mut put = |value: u32, size: u32| {
        bits = (bits << size) | value;
        held += size;
        if held >= BITS {
            held -= BITS;
            text.extend(character((bits >> held) & 0x7fff));
            bits &= (1 << held) - 1;
        }
        held
    };
    for byte in bytes {
        put(u32::from(*byte), 8);
    }
    let left = put(1, 1);
    if left > 0 {
        put(0, BITS - left);
    }
    text
}

/// Decodes text to bytes; `None` for a text that [`encode`] never writes.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 5 / 8);
    let (mut bits, mut held) = (0_u32, 0_u32);
    for c in text.chars() {
        bits = (bits << BITS) | value(c)?;
        held += BITS;
        while held >= 8 {
            held -= 8;
            bytes.push((bits >> held & 0xff) as u8);
            bits &= (1 << held) - 1;
        }
    }
    // The rest is padding: its first bit is set and ends the bytes.
    if held > 0 && bits > 0 {
        return (bits == 1 << (held - 1)).then_some(bytes);
    }
    let padding = bytes.pop()?;
    (bits == 0 && padding == 0x80 && held + 8 <= BITS).then_some(bytes)
}

fn character(value: u32) -> Option<char> {
    char::from_u32(match value.checked_sub(FIRST_LENGTH) {
        None => FIRST + value,
        Some(rest) => SECOND + rest,
    })
}

fn value(c: char) -> Option<u32> {
    let c = u32::from(c);
    match c.checked_sub(SECOND) {
        None => c.checked_sub(FIRST).filter(|value| *value < FIRST_LENGTH),
        Some(rest) => Some(FIRST_LENGTH + rest).filter(|value| *value <= 0x7fff),
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_value_has_one_character_of_one_unit() {
        for number in 0..=0x7fff_u32 {
            let c = character(number).unwrap();
            assert_eq!((value(c), c.len_utf16()), (Some(number), 1));
        }
        for foreign in ['a', '\u{33ff}', '\u{a48d}', '\u{ef73}', '😀'] {
            assert_eq!(value(foreign), None, "{foreign:?}");
        }
    }

    #[test]
    fn no_normal_form_changes_a_character() {
        use icu_normalizer::{
            ComposingNormalizerBorrowed as C, DecomposingNormalizerBorrowed as D,
        };
        let all: String = (0..=0x7fff).filter_map(character).collect();
        // All characters next to each other: two neighbours could be composed into one.
        let forms = [
            C::new_nfc().normalize(&all),
            C::new_nfkc().normalize(&all),
            D::new_nfd().normalize(&all),
            D::new_nfkd().normalize(&all),
        ];
        assert!(forms.iter().all(|form| *form == all));
    }

    #[test]
    fn what_was_never_written_is_refused() {
        for wrong in ["", "a", "\u{3400}", "\u{3400}\u{3400}"] {
            assert_eq!(decode(wrong), None, "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(bytes in prop::collection::vec(any::<u8>(), 0..70)) {
            let text = encode(&bytes);
            prop_assert_eq!(text.chars().count(), (bytes.len() * 8 + 1).div_ceil(15));
            prop_assert_eq!(decode(&text), Some(bytes));
        }

        #[test]
        fn any_text_is_decoded_to_what_gives_it_again_or_refused(text in "[\u{3400}-\u{3410}\u{a480}-\u{a48c}\u{e000}\u{ef72}]{0,9}") {
            if let Some(bytes) = decode(&text) {
                prop_assert_eq!(encode(&bytes), text);
            }
        }
    }
}
