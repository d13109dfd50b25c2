//! The closed set of things an answer can show.

use super::Destination;
use std::sync::Arc;

/// One node of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// Plain text; a newline in it is a soft break, but counts inside code and [`Tag::Raw`].
    Text(String),
    /// A run of invisible characters to be shown as a mark: see [`describe`](super::describe).
    Hidden(String),
    /// A hard line break.
    Break,
    /// A thematic break.
    Rule,
    /// The box of a task: ticked or not.
    Check(bool),
    /// An image, which is never loaded.
    Image {
        /// The alternative text, possibly empty.
        alt: String,
        /// Where it lies, if that is an address a link may have and the image is not in a link.
        source: Option<Destination>,
    },
    /// A formula, in TeX.
    Formula {
        /// As it was written, with its delimiters; [`tex`](super::tex) takes them off.
        written: String,
        /// Whether it stands on lines of its own.
        display: bool,
        /// Whether it may go on: what is there so far is shown as it was written.
        open: bool,
    },
    /// A reference to a footnote of the answer, by its name.
    FootnoteReference(String),
    /// A word from us, not from the model.
    Note(Note),
    /// A node with children. They are shared: a table of a thousand rows that has one more is copied, and compared
    /// with the former one, at the cost of that row.
    Element(Tag, Arc<Vec<Node>>),
}

impl Node {
    /// A node with these children.
    pub(super) fn element(tag: Tag, children: Vec<Node>) -> Self {
        Self::Element(tag, Arc::new(children))
    }
}

/// What an element is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tag {
    /// A paragraph.
    Paragraph,
    /// A heading, 1 to 6.
    Heading(u8),
    /// A block quote.
    Quote,
    /// A list: the first number of an ordered one, else nothing.
    List(Option<u64>),
    /// A list item.
    Item,
    /// A footnote with its name, where it stands in the answer.
    Footnote(String),
    /// A table; its children are rows.
    Table,
    /// A row; its children are cells.
    Row,
    /// A cell.
    Cell {
        /// Whether it stands in the head row.
        head: bool,
        /// The alignment of its column.
        align: Align,
    },
    /// A code block with its language, which may be empty.
    CodeBlock(String),
    /// Further lines of long code: see [`PIECE`](super::PIECE).
    Lines,
    /// Text shown as it was written, line breaks included: raw HTML, a table too large.
    Raw,
    /// A piece of what is beyond the limit, as it was written; it is shown on demand.
    Rest,
    /// Emphasis.
    Emphasis,
    /// Strong emphasis.
    Strong,
    /// Strikethrough.
    Strike,
    /// Code within a line.
    Code,
    /// A link that may be followed.
    Link(Destination),
    /// A link with a destination that must not be followed; kept to be read.
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

/// A word from us in the middle of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// What follows is beyond [`MAX_BYTES`](super::MAX_BYTES) or another limit, and not parsed.
    TooLong {
        /// How much that is, in bytes.
        rest: usize,
    },
}

/// The text of nodes without markup; hidden characters are described.
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
