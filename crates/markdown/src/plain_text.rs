//! An answer as plain text, for a line of a list: without the marks of Markdown, formulas as text.

use super::mathml::{Element, ElementContent, MathTag, parse as parse_formula};
use super::{Document, Node, Tag, describe, tex};

/// The text of an answer without its marks. Each block, item and row of a table is on lines of its own.
#[must_use]
pub fn plain_text(markdown: &str) -> String {
    let mut document = Document::new();
    document.finish_with(markdown);
    let mut out = String::new();
    for block in document.blocks() {
        write_node(&block.node, &mut out);
    }
    out.truncate(out.trim_end().len());
    out
}

fn write_node(node: &Node, out: &mut String) {
    match node {
        Node::Text(text) => out.push_str(text),
        Node::Hidden(run) => out.push_str(&describe(run)),
        Node::Image { alt, .. } => out.push_str(alt),
        Node::Formula {
            written, display, ..
        } => {
            out.push_str(&formula_text(tex(written), *display));
            end_block(out, *display);
        }
        Node::Break => out.push('\n'),
        Node::Rule | Node::Check(_) | Node::FootnoteReference(_) | Node::Note(_) => {}
        Node::Element(tag, children) => {
            for child in children.iter() {
                write_node(child, out);
            }
            match tag {
                Tag::Cell { .. } => out.push(' '),
                tag => end_block(out, is_block(tag)),
            }
        }
    }
}

fn end_block(out: &mut String, is_block: bool) {
    if is_block && !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

fn is_block(tag: &Tag) -> bool {
    match tag {
        Tag::Paragraph
        | Tag::Heading(_)
        | Tag::Quote
        | Tag::List(_)
        | Tag::Item
        | Tag::Footnote(_)
        | Tag::Table
        | Tag::Row
        | Tag::CodeBlock(_)
        | Tag::Lines
        | Tag::Raw
        | Tag::Rest => true,
        Tag::Cell { .. }
        | Tag::Emphasis
        | Tag::Strong
        | Tag::Strike
        | Tag::Code
        | Tag::Link(_)
        | Tag::Unlinked(_) => false,
    }
}

/// A formula in one line: as it was written where that has no commands, else by its signs; its source where it is not
/// understood.
fn formula_text(source: &str, display: bool) -> String {
    let source = source.trim();
    let is_plain = !source.contains(['\\', '{', '}', '&', '~']);
    let math = match is_plain {
        true => None,
        false => parse_formula(source, display),
    };
    math.map_or_else(|| source.to_owned(), |math| signs(&math).trim().to_owned())
}

/// The signs of an element in one line.
fn signs(element: &Element) -> String {
    let children = match &element.content {
        ElementContent::Text(text) => return token(element.tag, text),
        ElementContent::Children(children) => children,
    };
    let part = |at: usize| children.get(at).map(group).unwrap_or_default();
    let base = || children.first().map(signs).unwrap_or_default();
    match element.tag {
        MathTag::Phantom => String::new(),
        MathTag::Space => " ".to_owned(),
        MathTag::Fraction => format!("{}/{}", part(0), part(1)),
        MathTag::Sqrt if children.len() == 1 => format!("√{}", part(0)),
        MathTag::Sqrt => format!("√({})", all(children, "")),
        MathTag::Root => format!(
            "√[{}]{}",
            children.get(1).map(signs).unwrap_or_default(),
            part(0)
        ),
        MathTag::Sub | MathTag::Under => format!("{}_{}", base(), part(1)),
        MathTag::Sup => with_exponent(&base(), &part(1)),
        MathTag::Over => format!("{}{}", base(), part(1)),
        MathTag::SubSup | MathTag::UnderOver => {
            with_exponent(&format!("{}_{}", base(), part(1)), &part(2))
        }
        MathTag::Table => all(children, "; "),
        MathTag::TableRow => all(children, " "),
        _ => all(children, ""),
    }
}

fn all(children: &[Element], between: &str) -> String {
    let children = children.iter().map(signs);
    children.collect::<Vec<_>>().join(between)
}

fn with_exponent(base: &str, exponent: &str) -> String {
    let is_prime = exponent.chars().all(|c| matches!(c, '′' | '″' | '‴' | '⁗'));
    match is_prime {
        true => format!("{base}{exponent}"),
        false => format!("{base}^{exponent}"),
    }
}

/// A part of a fraction, a root or an index: in brackets if it is more than one sign, number or name.
fn group(element: &Element) -> String {
    let text = signs(element);
    let mut only = element;
    while let ElementContent::Children(children) = &only.content
        && let ([child], MathTag::Row | MathTag::Style) = (children.as_slice(), only.tag)
    {
        only = child;
    }
    let is_token = matches!(only.content, ElementContent::Text(_));
    match is_token || text.chars().count() <= 1 {
        true => text,
        false => format!("({text})"),
    }
}

/// The text of a token: relations have spaces around them, and what is invisible in a formula is left out.
fn token(tag: MathTag, text: &str) -> String {
    let text = text.replace('\u{2061}', " ");
    let text = text.replace(['\u{2062}', '\u{2063}', '\u{2064}'], "");
    match (tag, text.as_str()) {
        (MathTag::Space, _) => " ".to_owned(),
        (
            MathTag::Operator,
            "=" | "<" | ">" | "≤" | "≥" | "≠" | "≈" | "≡" | "∼" | "∈" | "→" | "⇒" | "⇔" | "↦",
        ) => format!(" {text} "),
        _ => text,
    }
}
