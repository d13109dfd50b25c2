//! Files that are no exports, by their first bytes: each is called by what it is.

use super::ImportError;

/// The first bytes of archives that are not read.
const ARCHIVES: [(&[u8], &str); 7] = [
    (b"\x1f\x8b", "gzip"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "RAR"),
    (b"\xfd7zXZ\0", "xz"),
    (b"BZh", "bzip2"),
    (b"\x28\xb5\x2f\xfd", "Zstandard"),
    (b"PK\x03\x04", "ZIP"),
];
/// Where a tar file says that it is one.
const TAR_MARK: std::ops::Range<usize> = 257..262;
/// The first bytes of other files that people choose instead of an export.
const OTHERS: [(&[u8], &str); 6] = [
    (b"%PDF-", "PDF"),
    (b"SQLite format 3\0", "SQLite"),
    (b"\x89PNG\r\n", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF8", "GIF"),
    (b"{\\rtf", "RTF"),
];

/// Why a file is refused by its first bytes; `None` for one that may be an export.
#[must_use]
pub fn refused_format(head: &[u8]) -> Option<ImportError> {
    let named = |formats: &[(&[u8], &'static str)]| {
        let found = formats.iter().find(|(begins, _)| head.starts_with(begins));
        found.map(|(_, name)| *name)
    };
    if let Some(name) = named(&ARCHIVES) {
        return Some(ImportError::Archive(name));
    }
    if head.get(TAR_MARK) == Some(b"ustar") {
        return Some(ImportError::Archive("TAR"));
    }
    if let Some(name) = named(&OTHERS) {
        return Some(ImportError::OtherFormat(name));
    }
    // Without a byte order mark, JSON in UTF-16 starts with an ASCII character, so one of its two bytes is
    // zero.
    let noughts = head.get(..2).map(|two| (two[0] == 0, two[1] == 0));
    let is_half = noughts.is_some_and(|(first, second)| first != second);
    let has_mark = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    (has_mark || is_half).then_some(ImportError::Utf16)
}

/// Whether a file is a web page, by its first bytes.
#[must_use]
pub fn is_web_page(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let text = text.trim_ascii_start();
    let begins = |with: &[u8]| {
        let begun = text.get(..with.len());
        begun.is_some_and(|begun| begun.eq_ignore_ascii_case(with))
    };
    begins(b"<!doctype html") || begins(b"<html") || begins(b"<head") || begins(b"<!--")
}
