//! Request and response of `POST /api/v1/extract`.

use sash_wire::RoomFaults;
use sash_words::t;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The request of `POST /api/v1/extract`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtractRequest {
    /// The document in plain standard base64: a PDF, a Word document (.docx), HTML or text, told apart by content.
    pub data: String,
    /// The encoding of HTML or text, by a name of the web (`gbk`, `windows-1251`); detected where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
}

/// What can be wrong with a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentFault {
    /// 400 `file_unreadable`: a document has no text that can be read.
    FileUnreadable {
        /// Why, as a clause.
        reason: String,
    },
}

impl RoomFaults for DocumentFault {
    fn status(&self) -> u16 {
        400
    }
}

impl fmt::Display for DocumentFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::FileUnreadable { reason } = self;
        f.write_str(&t!(attachments.document_unreadable, reason = reason))
    }
}

/// The format of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentFormat {
    /// PDF; its parts are its pages.
    Pdf,
    /// A Word document; its headings become Markdown.
    Docx,
    /// HTML, as Markdown.
    Html,
    /// Text in any encoding.
    Text,
}

/// How many bytes of a file are looked at for a mark that need not be its first bytes.
const HEAD_BYTES: usize = 1024;

impl DocumentFormat {
    /// The format of a document by its first bytes; `None` for any other content, and for text.
    #[must_use]
    pub fn of(document: &[u8]) -> Option<Self> {
        let head = document.get(..document.len().min(HEAD_BYTES))?;
        // Some programs write a few bytes before the mark of a PDF.
        if head.windows(5).any(|bytes| bytes == b"%PDF-") {
            return Some(Self::Pdf);
        }
        // A ZIP archive; whether it is a Word document shows when it is read.
        if head.starts_with(b"PK\x03\x04") {
            return Some(Self::Docx);
        }
        is_html(head).then_some(Self::Html)
    }
}

/// Whether HTML begins, after comments and declarations of XML.
fn is_html(head: &[u8]) -> bool {
    // The marks are ASCII in every encoding but UTF-16, where each has a zero beside it.
    let ascii: Vec<u8> = head.iter().copied().filter(|byte| *byte != 0).collect();
    let ascii = ascii.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&ascii);
    let ascii = ascii
        .strip_prefix(b"\xff\xfe")
        .or_else(|| ascii.strip_prefix(b"\xfe\xff"))
        .unwrap_or(ascii);
    let text = String::from_utf8_lossy(ascii).to_ascii_lowercase();
    let mut rest = text.trim_start();
    while let Some(end) = match rest {
        rest if rest.starts_with("<!--") => rest.find("-->").map(|at| at + 3),
        rest if rest.starts_with("<?xml") => rest.find("?>").map(|at| at + 2),
        _ => None,
    } {
        rest = rest.get(end..).unwrap_or_default().trim_start();
    }
    // A comment may be longer than what is looked at.
    ["<!doctype html", "<html", "<head", "<body"]
        .iter()
        .filter_map(|tag| rest.strip_prefix(tag))
        .any(|after| after.starts_with(|c: char| c == '>' || c.is_whitespace()) || after.is_empty())
}

/// The response of `POST /api/v1/extract`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtractedText {
    /// The format.
    pub format: DocumentFormat,
    /// The text: of each page of a PDF, in order; of any other document, whole.
    pub parts: Vec<String>,
    /// Whether the document has more text than is read.
    #[serde(default)]
    pub cut: bool,
    /// The encoding in which HTML or text was read, as the web names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
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
            (
                b"<?xml version='1.0' encoding='gbk'?>\n<!-- x -->\n<html xmlns='x'>",
                Some(DocumentFormat::Html),
            ),
            (b"\xff\xfe<\0h\0t\0m\0l\0>\0", Some(DocumentFormat::Html)),
            (b"\xfe\xff\0<\0h\0t\0m\0l\0>", Some(DocumentFormat::Html)),
            (b"", None),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", None),
            (b"<template><header>a component</header></template>", None),
            (b"<!-- never ended", None),
            (b"\x7fELF\x02\x01", None),
            (b"plain text about <body> parts", None),
        ] {
            assert_eq!(DocumentFormat::of(bytes), format, "{bytes:?}");
        }
    }
}
