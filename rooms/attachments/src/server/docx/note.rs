//! Footnotes, endnotes and comments.

/// A kind of note.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NoteKind {
    /// A footnote.
    #[default]
    Footnote,
    /// An endnote.
    Endnote,
    /// A comment.
    Comment,
}

impl NoteKind {
    /// The mark in the text, as Markdown writes it.
    pub fn label(self, number: usize) -> String {
        match self {
            Self::Footnote => format!("[^{number}]"),
            Self::Endnote => format!("[^endnote-{number}]"),
            Self::Comment => format!("[^comment-{number}]"),
        }
    }
}

/// A note.
#[derive(Clone, Debug, Default)]
pub struct Note {
    /// The id by which the text refers to it.
    pub id: String,
    /// Who wrote it; empty where nobody is named.
    pub author: String,
    /// Its text.
    pub text: String,
}
