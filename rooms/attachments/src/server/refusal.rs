//! Reasons why a document has no text for us.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExtractRefusal {
    /// It is of none of the formats.
    UnknownFormat,
    /// Its structure is broken.
    Damaged,
    /// It wants a password.
    Encrypted,
    /// There is no text in it.
    NoText,
    /// There is no text in it, and its pages may be pictures: a PDF.
    NoTextInPages,
    /// It takes longer than the limit.
    TooSlow,
    /// Its reader failed: it ran out of memory, or gave up.
    Failed,
}

impl fmt::Display for ExtractRefusal {
    /// The reason, as a clause.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownFormat => "it is no PDF, no Word document (.docx), no HTML and no text",
            Self::Damaged => "it is damaged",
            Self::Encrypted => "it is protected with a password",
            Self::NoText => "there is no text in it",
            Self::NoTextInPages => "there is no text in it; its pages may be pictures",
            Self::TooSlow => "reading it takes too long",
            Self::Failed => "it is damaged, or it needs more memory than Sash gives to one file",
        })
    }
}
