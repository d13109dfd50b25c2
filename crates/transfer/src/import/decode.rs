//! Decodes the bytes of a file to text.

use super::{ImportError, MAX_FILE};
use crate::export::records_in;

/// The text of a file; of a shared page its records. A byte order mark at the start is removed.
///
/// # Errors
/// [`ImportError`] for a file that is empty, too long, or not UTF-8 text. Check the size before reading the
/// file: this function sees only its bytes.
pub fn decode(bytes: Vec<u8>) -> Result<String, ImportError> {
    if bytes.len() > MAX_FILE {
        return Err(ImportError::TooLong(bytes.len() as u64));
    }
    let begins = |with: &[u8]| bytes.starts_with(with);
    if begins(b"PK\x03\x04") || begins(b"\x1f\x8b") {
        return Err(ImportError::Archive);
    }
    // Without a byte order mark, JSON in UTF-16 starts with an ASCII character, so one of its two bytes is
    // zero.
    let noughts = bytes
        .get(..2)
        .map(|two| (two[0] == 0, two[1] == 0))
        .unwrap_or_default();
    if begins(b"\xff\xfe") || begins(b"\xfe\xff") || noughts.0 != noughts.1 {
        return Err(ImportError::Utf16);
    }
    let mut text = String::from_utf8(bytes)
        .map_err(|error| ImportError::NoText(error.utf8_error().valid_up_to()))?;
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    text = records_in(text);
    if text.trim().is_empty() {
        return Err(ImportError::Empty);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_is_told_as_what_it_is() {
        let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for (bytes, expected) in [
            (vec![], ImportError::Empty),
            (b" \n".to_vec(), ImportError::Empty),
            (b"\xef\xbb\xbf".to_vec(), ImportError::Empty),
            (utf16("\u{feff}[]"), ImportError::Utf16),
            (utf16("[]"), ImportError::Utf16),
            (b"\xfe\xff\0[\0]".to_vec(), ImportError::Utf16),
            (b"\0[\0]".to_vec(), ImportError::Utf16),
            (b"PK\x03\x04rest".to_vec(), ImportError::Archive),
            (b"[\"\xff\"]".to_vec(), ImportError::NoText(2)),
            (b"[\"\xed\xa0\x80\"]".to_vec(), ImportError::NoText(2)),
            (vec![b' '; MAX_FILE + 1], ImportError::TooLong(33_554_433)),
        ] {
            assert_eq!(decode(bytes), Err(expected));
        }
    }

    #[test]
    fn a_mark_of_byte_order_is_taken_off() {
        assert_eq!(decode(b"\xef\xbb\xbf[]".to_vec()), Ok("[]".into()));
        assert_eq!(decode(b"[]".to_vec()), Ok("[]".into()));
    }

    #[test]
    fn the_longest_file_is_read() {
        let mut bytes = vec![b' '; MAX_FILE];
        bytes[0] = b'[';
        assert!(decode(bytes).is_ok());
    }
}
