//! The closed set of elements a formula can become: a part of MathML Core.

use std::borrow::Cow;

/// An element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// What it is.
    pub tag: Tag,
    /// Attributes. No name, and no value but that of `alttext`, is taken from a formula.
    pub attributes: Vec<(&'static str, Cow<'static, str>)>,
    /// What is in it.
    pub content: Content,
}

/// What is in an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Text, in a token.
    Text(String),
    /// Elements, in all others.
    Children(Vec<Element>),
}

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// The whole formula.
    Math,
    /// Elements side by side.
    Row,
    /// The same in another size.
    Style,
    /// The same, invisible.
    Phantom,
    /// A variable or the name of a function.
    Identifier,
    /// A number.
    Number,
    /// An operator, a bracket, a comma.
    Operator,
    /// Words.
    Text,
    /// A space.
    Space,
    /// A fraction.
    Fraction,
    /// A square root.
    Sqrt,
    /// Another root: radicand and index.
    Root,
    /// Base and subscript.
    Sub,
    /// Base and superscript.
    Sup,
    /// Base, subscript, superscript.
    SubSup,
    /// Base and what stands under it.
    Under,
    /// Base and what stands over it.
    Over,
    /// Base, what stands under, what stands over it.
    UnderOver,
    /// A matrix, aligned lines.
    Table,
    /// A line of them.
    TableRow,
    /// A cell of the line.
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

    /// Sets an attribute that it has not yet.
    pub(super) fn set(&mut self, name: &'static str, value: impl Into<Cow<'static, str>>) {
        self.attributes.push((name, value.into()));
    }

    pub(super) fn with(mut self, name: &'static str, value: &'static str) -> Self {
        self.set(name, value);
        self
    }

    /// Elements as one: the only one, or a row of them.
    pub(super) fn row(mut children: Vec<Element>) -> Self {
        match children.len() {
            1 => children.remove(0),
            _ => Self::new(Tag::Row, children),
        }
    }

    /// The text of a token, else nothing.
    pub(super) fn text(&self) -> &str {
        match &self.content {
            Content::Text(text) => text,
            Content::Children(_) => "",
        }
    }
}
