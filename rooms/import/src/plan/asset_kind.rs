//! Kinds of files that come with chats, by their first bytes.

use sash_log::image::SourceFormat;

/// What a file is by its first bytes, as far as it matters for reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssetKind {
    /// An image of a type that is read.
    Image,
    /// Perhaps text.
    Text,
    /// Sound or a film.
    Recording,
    /// None of them.
    Other,
}

impl AssetKind {
    /// The kind by the first bytes of a file, whatever its name says: many files of an export have none.
    #[must_use]
    pub fn of(head: &[u8]) -> Self {
        if SourceFormat::of(head).is_some() {
            return Self::Image;
        }
        let begins = |with: &[u8]| head.starts_with(with);
        let is_recording = begins(b"ID3")
            || begins(b"OggS")
            || begins(b"fLaC")
            || begins(b"\x1a\x45\xdf\xa3")
            || begins(b"\xff\xfb")
            || begins(b"\xff\xf3")
            || begins(b"RIFF") && head.get(8..12) == Some(b"WAVE")
            || head.get(4..8) == Some(b"ftyp");
        if is_recording {
            return Self::Recording;
        }
        let is_document = begins(b"%PDF-") || begins(b"PK\x03\x04") || head.contains(&0);
        match is_document {
            true => Self::Other,
            false => Self::Text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_its_first_bytes() {
        for (head, kind) in [
            (&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], AssetKind::Image),
            (b"RIFF\0\0\0\0WAVEfmt ", AssetKind::Recording),
            (b"\0\0\0\x20ftypM4A ", AssetKind::Recording),
            (b"%PDF-1.7", AssetKind::Other),
            (b"PK\x03\x04", AssetKind::Other),
            (b"\0\x01\x02", AssetKind::Other),
            (b"plain words", AssetKind::Text),
            (b"", AssetKind::Text),
        ] {
            assert_eq!(AssetKind::of(head), kind, "{head:?}");
        }
    }
}
