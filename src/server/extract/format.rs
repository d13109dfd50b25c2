//! The format of a document, by its content.

use sash_wire::DocumentFormat;

/// How many bytes of a file are looked at for a mark that need not be its first bytes.
const HEAD_BYTES: usize = 1024;

/// The format; `None` for any other content.
pub fn of(document: &[u8]) -> Option<DocumentFormat> {
    let head = document.get(..document.len().min(HEAD_BYTES))?;
    // Some programs write a few bytes before the mark of a PDF.
    if head.windows(5).any(|bytes| bytes == b"%PDF-") {
        return Some(DocumentFormat::Pdf);
    }
    // A ZIP archive; whether it is a Word document shows when it is read.
    if head.starts_with(b"PK\x03\x04") {
        return Some(DocumentFormat::Docx);
    }
    let text = String::from_utf8_lossy(head).to_ascii_lowercase();
    let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let is_html = text.starts_with("<!doctype html")
        || text.starts_with("<html")
        || text.starts_with('<') && (text.contains("<head") || text.contains("<body"));
    is_html.then_some(DocumentFormat::Html)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_known_by_content() {
        for (bytes, format) in [
            (&b"%PDF-1.7\n"[..], Some(DocumentFormat::Pdf)),
            (b"\n\n%PDF-1.4", Some(DocumentFormat::Pdf)),
            (b"PK\x03\x04rest", Some(DocumentFormat::Docx)),
            (b"<!DOCTYPE html><p>", Some(DocumentFormat::Html)),
            (b"\xef\xbb\xbf <HTML lang=en>", Some(DocumentFormat::Html)),
            (b"<!-- saved --><html><head>", Some(DocumentFormat::Html)),
            (b"", None),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", None),
            (b"\x7fELF\x02\x01", None),
            (b"plain text about <body> parts", None),
        ] {
            assert_eq!(of(bytes), format, "{bytes:?}");
        }
    }
}
