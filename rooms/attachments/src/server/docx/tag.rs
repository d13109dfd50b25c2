//! The elements of a Word document that mean something here, by their local names: the namespaces differ between the
//! two editions of the format, and formulas and drawings have texts and paragraphs of the same names.

use quick_xml::escape::unescape;
use quick_xml::events::BytesStart;

/// An element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// `p`, a paragraph.
    Paragraph,
    /// `pPr`, what is said of a paragraph.
    ParagraphProperties,
    /// `r`, a run.
    Run,
    /// `rPr`, what is said of a run, or of the end of a paragraph.
    RunProperties,
    /// `t`.
    Text,
    /// `tbl`.
    Table,
    /// `tr`.
    Row,
    /// `trPr`.
    RowProperties,
    /// `tc`.
    Cell,
    /// `txbxContent`, what is in a text box.
    TextBox,
    /// `del` or `moveFrom`.
    Deleted,
    /// `AlternateContent`.
    Alternate,
    /// `Choice` or `Fallback` of it.
    Choice,
    /// `rt`, what stands above a word of East Asia.
    RubyText,
    /// `rubyBase`, the word.
    RubyBase,
    /// `numPr`, the list of a paragraph.
    List,
    /// `footnote`, `endnote` or `comment`.
    Note,
    /// Former properties, and whatever else has texts that are not of the document.
    Skipped,
    /// Any other one.
    Other,
}

impl Tag {
    /// The element of a local name.
    pub fn of(name: &str) -> Self {
        match name {
            "p" => Self::Paragraph,
            "pPr" => Self::ParagraphProperties,
            "r" => Self::Run,
            "rPr" => Self::RunProperties,
            "t" => Self::Text,
            "tbl" => Self::Table,
            "tr" => Self::Row,
            "trPr" => Self::RowProperties,
            "tc" => Self::Cell,
            "txbxContent" => Self::TextBox,
            "del" | "moveFrom" => Self::Deleted,
            "AlternateContent" => Self::Alternate,
            "Choice" | "Fallback" => Self::Choice,
            "rt" => Self::RubyText,
            "rubyBase" => Self::RubyBase,
            "numPr" => Self::List,
            "footnote" | "endnote" | "comment" => Self::Note,
            name if name.ends_with("PrChange") => Self::Skipped,
            _ => Self::Other,
        }
    }
}

/// An attribute, by its local name.
pub fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag
        .attributes()
        .flatten()
        .find(|attribute| attribute.key.local_name().as_ref() == name)?;
    let value = unescape(&found.value).map(|value| value.into_owned());
    Some(value.unwrap_or_else(|_| found.value.into_owned()))
}

/// Whether an element that switches something on does: without a value it does.
pub fn is_on(tag: &BytesStart<'_>) -> bool {
    attribute(tag, "val").is_none_or(|value| !matches!(value.as_str(), "0" | "false" | "off"))
}
