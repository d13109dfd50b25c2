//! Parts of a story while it is read: paragraphs, what they are put into, and notes.

/// The paragraph that is being read.
#[derive(Debug, Default)]
pub struct Paragraph {
    /// Whether there is one.
    pub is_open: bool,
    /// Its text.
    pub text: String,
    /// The id of its style.
    pub style: String,
    /// The level of a heading, where the paragraph itself says so.
    pub outline: Option<usize>,
    /// Its list, where the paragraph itself says so.
    pub list: Option<String>,
    /// Its level in the list.
    pub level: Option<usize>,
    /// Whether its end was deleted, so that the next one belongs to it.
    pub end_is_deleted: bool,
    /// The texts of the boxes that it holds.
    pub boxes: String,
}

/// What paragraphs are put into.
#[derive(Debug)]
pub enum Frame {
    /// A table: its rows. The last one is being read; whether it was deleted.
    Table {
        /// The rows.
        rows: Vec<Vec<String>>,
        /// Whether the row that is being read was deleted.
        row_is_deleted: bool,
    },
    /// A cell.
    Cell {
        /// Its text.
        text: String,
        /// How many columns it has.
        span: usize,
    },
    /// A box beside the paragraph that holds it.
    TextBox {
        /// Its text.
        text: String,
        /// The paragraph.
        outer: Paragraph,
    },
    /// A footnote, endnote or comment.
    Note(Note),
}

impl Frame {
    /// The text that paragraphs are appended to.
    pub fn text(&mut self) -> Option<&mut String> {
        match self {
            Self::Table { .. } => None,
            Self::Cell { text, .. } | Self::TextBox { text, .. } => Some(text),
            Self::Note(note) => Some(&mut note.text),
        }
    }
}

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
