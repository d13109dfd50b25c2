//! The closed set of things an answer can show.

use super::Destination;
use std::sync::Arc;

/// One node of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// Plain text; a newline is a soft break, except in code and [`Tag::Raw`], where it breaks the line.
    Text(String),
    /// A run of invisible characters, shown as a mark: see [`describe`](super::describe).
    Hidden(String),
    /// A hard line break.
    Break,
    /// A thematic break.
    Rule,
    /// The checkbox of a task.
    Check(bool),
    /// An image, which is never loaded.
    Image {
        /// The alternative text, possibly empty.
        alt: String,
        /// Its address, if a link may have it and the image is not within a link.
        source: Option<Destination>,
    },
    /// A formula, in TeX.
    Formula {
        /// Its source with its delimiters; [`tex`](super::tex) removes them.
        written: String,
        /// Whether it is displayed on lines of its own.
        display: bool,
        /// Whether it may continue: until it is complete its source is shown.
        open: bool,
    },
    /// A reference to a footnote of the answer, by its name.
    FootnoteReference(String),
    /// A note from Sash, not from the model.
    Note(RendererNote),
    /// A node with children. The children are shared, so that copying and comparing a table of a thousand
    /// rows that gained one row costs that one row.
    Element(Tag, Arc<Vec<Node>>),
}

impl Node {
    /// A node with these children.
    pub(super) fn element(tag: Tag, children: Vec<Node>) -> Self {
        Self::Element(tag, Arc::new(children))
    }
}

/// The kind of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tag {
    /// A paragraph.
    Paragraph,
    /// A heading of level 1 to 6.
    Heading(u8),
    /// A block quote.
    Quote,
    /// A list: the first number of an ordered one, else `None`.
    List(Option<u64>),
    /// A list item.
    Item,
    /// A footnote with its label, shown where it is defined.
    Footnote(String),
    /// A table; its children are rows.
    Table,
    /// A row; its children are cells.
    Row,
    /// A cell.
    Cell {
        /// Whether it is in the head row.
        head: bool,
        /// The alignment of its column.
        align: Align,
    },
    /// A code block with its language, which may be empty.
    CodeBlock(String),
    /// Further lines of long code; see [`PIECE`](super::PIECE).
    Lines,
    /// Text shown as its source, with its line breaks: raw HTML, or a table that is too large.
    Raw,
    /// A piece of the unparsed rest, shown on demand.
    Rest,
    /// Emphasis.
    Emphasis,
    /// Strong emphasis.
    Strong,
    /// Strikethrough.
    Strike,
    /// Inline code.
    Code,
    /// A link that may be followed.
    Link(Destination),
    /// A link whose destination must not be followed; it is shown as text.
    Unlinked(String),
}

/// The alignment of a table column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Not given.
    None,
    /// Left.
    Left,
    /// Centre.
    Center,
    /// Right.
    Right,
}

impl Align {
    /// The class of a cell, in the page and in a file alike; empty if no alignment is given.
    #[must_use]
    pub const fn class(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Left => "left",
            Self::Center => "center",
            Self::Right => "right",
        }
    }
}

/// A note from Sash within an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RendererNote {
    /// The following text is beyond [`MAX_BYTES`](super::MAX_BYTES) or another limit, and is not parsed.
    TooLong {
        /// Its length in bytes.
        rest: usize,
    },
}

/// The text of nodes without markup, with descriptions of hidden characters.
pub fn plain(nodes: &[Node]) -> String {
    fn walk(nodes: &[Node], out: &mut String) {
        for node in nodes {
            match node {
                Node::Text(text) => out.push_str(text),
                Node::Hidden(run) => out.push_str(&super::describe(run)),
                Node::Image { alt, .. } => out.push_str(alt),
                Node::Formula { written, .. } => out.push_str(written),
                Node::FootnoteReference(name) => {
                    out.push_str("[^");
                    out.push_str(name);
                    out.push(']');
                }
                Node::Break => out.push('\n'),
                Node::Element(_, children) => walk(children, out),
                Node::Rule | Node::Check(_) | Node::Note(_) => {}
            }
        }
    }
    let mut out = String::new();
    walk(nodes, &mut out);
    out
}
