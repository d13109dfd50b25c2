//! The closed set of elements a formula can become: a part of MathML Core.

use std::borrow::Cow;

/// An element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its kind.
    pub tag: MathTag,
    /// Its attributes. Names, and all values except that of `alttext`, are ours and never taken from a
    /// formula.
    pub attributes: Vec<(&'static str, Cow<'static, str>)>,
    /// Its content.
    pub content: ElementContent,
}

/// The content of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElementContent {
    /// The text of a token.
    Text(String),
    /// The children of any other element.
    Children(Vec<Element>),
}

/// The kind of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MathTag {
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

impl MathTag {
    /// Its name in MathML.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            MathTag::Math => "math",
            MathTag::Row => "mrow",
            MathTag::Style => "mstyle",
            MathTag::Phantom => "mphantom",
            MathTag::Identifier => "mi",
            MathTag::Number => "mn",
            MathTag::Operator => "mo",
            MathTag::Text => "mtext",
            MathTag::Space => "mspace",
            MathTag::Fraction => "mfrac",
            MathTag::Sqrt => "msqrt",
            MathTag::Root => "mroot",
            MathTag::Sub => "msub",
            MathTag::Sup => "msup",
            MathTag::SubSup => "msubsup",
            MathTag::Under => "munder",
            MathTag::Over => "mover",
            MathTag::UnderOver => "munderover",
            MathTag::Table => "mtable",
            MathTag::TableRow => "mtr",
            MathTag::TableCell => "mtd",
        }
    }
}

impl Element {
    /// An element with children.
    pub(super) fn new(tag: MathTag, children: Vec<Element>) -> Self {
        Self {
            tag,
            attributes: Vec::new(),
            content: ElementContent::Children(children),
        }
    }

    /// A token.
    pub(super) fn token(tag: MathTag, text: impl Into<String>) -> Self {
        Self {
            tag,
            attributes: Vec::new(),
            content: ElementContent::Text(text.into()),
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
            _ => Self::new(MathTag::Row, children),
        }
    }

    /// The text of a token; empty for other elements.
    pub(super) fn text(&self) -> &str {
        match &self.content {
            ElementContent::Text(text) => text,
            ElementContent::Children(_) => "",
        }
    }
}
