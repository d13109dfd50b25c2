//! The closed set of elements a formula can become: a part of MathML Core.

use std::borrow::Cow;

/// An element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its kind.
    pub tag: Tag,
    /// Its attributes. Names, and all values except that of `alttext`, are ours and never taken from a
    /// formula.
    pub attributes: Vec<(&'static str, Cow<'static, str>)>,
    /// Its content.
    pub content: Content,
}

/// The content of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The text of a token.
    Text(String),
    /// The children of any other element.
    Children(Vec<Element>),
}

/// The kind of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// The whole formula.
    Math,
    /// Elements in a row.
    Row,
    /// Elements in another size.
    Style,
    /// Invisible elements that take up their space.
    Phantom,
    /// A variable or the name of a function.
    Identifier,
    /// A number.
    Number,
    /// An operator, a bracket or a comma.
    Operator,
    /// Text.
    Text,
    /// A space.
    Space,
    /// A fraction.
    Fraction,
    /// A square root.
    Sqrt,
    /// Another root: radicand and degree.
    Root,
    /// Base and subscript.
    Sub,
    /// Base and superscript.
    Sup,
    /// Base, subscript, superscript.
    SubSup,
    /// A base and the element below it.
    Under,
    /// A base and the element above it.
    Over,
    /// A base and the elements below and above it.
    UnderOver,
    /// A matrix or aligned lines.
    Table,
    /// A row of a table.
    TableRow,
    /// A cell of a row.
    TableCell,
}

impl Tag {
    /// Its name in MathML.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Tag::Math => "math",
            Tag::Row => "mrow",
            Tag::Style => "mstyle",
            Tag::Phantom => "mphantom",
            Tag::Identifier => "mi",
            Tag::Number => "mn",
            Tag::Operator => "mo",
            Tag::Text => "mtext",
            Tag::Space => "mspace",
            Tag::Fraction => "mfrac",
            Tag::Sqrt => "msqrt",
            Tag::Root => "mroot",
            Tag::Sub => "msub",
            Tag::Sup => "msup",
            Tag::SubSup => "msubsup",
            Tag::Under => "munder",
            Tag::Over => "mover",
            Tag::UnderOver => "munderover",
            Tag::Table => "mtable",
            Tag::TableRow => "mtr",
            Tag::TableCell => "mtd",
        }
    }
}

impl Element {
    /// An element with children.
    pub(super) fn new(tag: Tag, children: Vec<Element>) -> Self {
        Self {
            tag,
            attributes: Vec::new(),
            content: Content::Children(children),
        }
    }

    /// A token.
    pub(super) fn token(tag: Tag, text: impl Into<String>) -> Self {
        Self {
            tag,
            attributes: Vec::new(),
            content: Content::Text(text.into()),
        }
    }

    /// Sets an attribute; it must not be set already.
    pub(super) fn set(&mut self, name: &'static str, value: impl Into<Cow<'static, str>>) {
        self.attributes.push((name, value.into()));
    }

    pub(super) fn with(mut self, name: &'static str, value: &'static str) -> Self {
        self.set(name, value);
        self
    }

    /// Combines elements into one: the only element, or a row.
    pub(super) fn row(mut children: Vec<Element>) -> Self {
        match children.len() {
            1 => children.remove(0),
            _ => Self::new(Tag::Row, children),
        }
    }

    /// The text of a token; empty for other elements.
    pub(super) fn text(&self) -> &str {
        match &self.content {
            Content::Text(text) => text,
            Content::Children(_) => "",
        }
    }
}
