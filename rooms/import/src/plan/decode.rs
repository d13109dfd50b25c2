//! Decodes the bytes of a file to text.

use super::damage::has_marks;
use super::formats::refused_format;
use super::{ImportError, MAX_FILE};
use sash_form::records_in;

/// The text of a file; of a shared page its records. A byte order mark at the start is removed.
///
/// # Errors
/// [`ImportError`] for a file that is empty, too long, or not UTF-8 text. Check the size before reading the
/// file: this function sees only its bytes.
pub fn decode(bytes: Vec<u8>) -> Result<String, ImportError> {
    if bytes.len() > MAX_FILE {
        return Err(ImportError::TooLong(bytes.len() as u64));
    }
    if let Some(error) = refused_format(&bytes) {
        return Err(error);
    }
    let mut text = String::from_utf8(bytes).or_else(|error| {
        let (at, is_cut) = (
            error.utf8_error().valid_up_to(),
            error.utf8_error().error_len().is_none(),
        );
        let mut bytes = error.into_bytes();
        if !is_cut {
            return Err(match has_marks(&bytes) {
                true => ImportError::Damaged,
                false => ImportError::NoText(at),
            });
        }
        // The file is cut within its last character: what is before it says what it is.
        bytes.truncate(at);
        String::from_utf8(bytes).map_err(|_| ImportError::NoText(at))
    })?;
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

    fn tar() -> Vec<u8> {
        let mut file = b"conversations.json".to_vec();
        file.resize(257, 0);
        file.extend(b"ustar\x0000");
        file
    }

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
            (b"PK\x03\x04rest".to_vec(), ImportError::Archive("ZIP")),
            (
                b"7z\xbc\xaf\x27\x1c\0\x04".to_vec(),
                ImportError::Archive("7z"),
            ),
            (b"Rar!\x1a\x07\x01\0".to_vec(), ImportError::Archive("RAR")),
            (b"\x1f\x8b\x08\0".to_vec(), ImportError::Archive("gzip")),
            (tar(), ImportError::Archive("TAR")),
            (b"%PDF-1.7\n%\xe2".to_vec(), ImportError::OtherFormat("PDF")),
            (
                b"SQLite format 3\0\x10".to_vec(),
                ImportError::OtherFormat("SQLite"),
            ),
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
