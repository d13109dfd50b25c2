//! The text of a document.

use serde::{Deserialize, Serialize};

/// The request of `POST /api/v1/extract`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtractRequest {
    /// The document in plain standard base64: a PDF, a Word document (.docx) or HTML, told apart by content.
    pub data: String,
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
}
