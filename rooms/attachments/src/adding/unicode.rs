//! Decodes text that says itself that it is Unicode.

use crate::text_parts::with_line_feeds;
use std::string::FromUtf8Error;

/// The text of a file in UTF-8, or in UTF-16 with a mark of its byte order; the bytes of any other file. The text has
/// neither the mark nor carriage returns at the ends of its lines.
pub(crate) fn decode_unicode(bytes: Vec<u8>) -> Result<String, Vec<u8>> {
    let utf16 = |unit: fn([u8; 2]) -> u16| {
        let (pairs, _) = bytes.as_chunks();
        let units: Vec<u16> = pairs.iter().copied().map(unit).collect();
        String::from_utf16_lossy(&units)
    };
    let text = match &*bytes {
        [0xff, 0xfe, ..] => utf16(u16::from_le_bytes),
        [0xfe, 0xff, ..] => utf16(u16::from_be_bytes),
        // Mail in Japanese is ASCII, whose letters have another meaning after these.
        ascii if ascii.contains(&0) || ascii.windows(2).any(|pair| pair == b"\x1b$") => {
            return Err(bytes);
        }
        _ => String::from_utf8(bytes).map_err(FromUtf8Error::into_bytes)?,
    };
    Ok(with_line_feeds(
        text.trim_start_matches('\u{feff}').to_owned(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn unicode_is_decoded_without_its_mark_and_with_line_feeds() {
        let text = "\u{feff}Grüße\r\n🎉\r\n";
        for bytes in [
            text.as_bytes().to_vec(),
            utf16(text, u16::to_le_bytes),
            utf16(text, u16::to_be_bytes),
        ] {
            assert_eq!(decode_unicode(bytes).as_deref(), Ok("Grüße\n🎉\n"));
        }
        // Half a character, and half a unit.
        let damaged = vec![0xff, 0xfe, 0x00, 0xd8, b'a', 0, b'b'];
        assert_eq!(decode_unicode(damaged).as_deref(), Ok("\u{fffd}a"));
    }

    #[test]
    fn text_in_any_other_encoding_keeps_its_bytes() {
        for bytes in [
            b"Gr\xfc\xdfe".to_vec(),
            b"\x1b$B$3\x1b(B".to_vec(),
            utf16("no mark", u16::to_le_bytes),
        ] {
            assert_eq!(decode_unicode(bytes.clone()), Err(bytes));
        }
    }
}
