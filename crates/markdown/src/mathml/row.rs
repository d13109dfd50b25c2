//! Arranges the elements of a row: spaces around operators and functions, signs, primes.

use super::element::{Element, ElementContent, MathTag};

/// The class of an element, which determines its spacing (TeXbook, p. 158 and 170).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Atom {
    Ordinary,
    Large,
    Function,
    Binary,
    Relation,
    Open,
    Close,
    Punctuation,
    Inner,
    Prime,
    Space,
}

/// An element of a row.
pub(super) struct Item {
    pub element: Element,
    pub atom: Atom,
    /// Whether it was alone in braces, which removes its spacing.
    pub braced: bool,
}

impl Item {
    pub(super) fn new(element: Element, atom: Atom) -> Self {
        Self {
            element,
            atom,
            braced: false,
        }
    }
}

/// The elements of a row, with the spaces between them.
pub(super) fn arrange(items: Vec<Item>) -> Vec<Element> {
    let atoms: Vec<Atom> = items
        .iter()
        .map(|item| {
            if item.braced {
                Atom::Ordinary
            } else {
                item.atom
            }
        })
        .collect();
    let mut out: Vec<Element> = Vec::with_capacity(items.len());
    let mut before = None;
    for (index, item) in items.into_iter().enumerate() {
        let atom = atoms[index];
        let after = atoms[index + 1..].iter().find(|atom| **atom != Atom::Space);
        let mut element = item.element;
        let operand = matches!(
            before,
            Some(Atom::Ordinary | Atom::Close | Atom::Inner | Atom::Prime)
        );
        match atom {
            Atom::Ordinary if item.braced => unspaced(&mut element),
            Atom::Ordinary if joins(out.last(), &element) => {
                if let Some(last) = out.last_mut()
                    && let ElementContent::Text(text) = &mut last.content
                {
                    text.push_str(element.text());
                    last.attributes.clear();
                }
                continue;
            }
            Atom::Binary => {
                let right = matches!(
                    after,
                    Some(
                        Atom::Ordinary
                            | Atom::Large
                            | Atom::Function
                            | Atom::Open
                            | Atom::Inner
                            | Atom::Binary
                    )
                );
                if !(operand && right) {
                    let form = if operand { "postfix" } else { "prefix" };
                    element.set("form", form);
                    unspaced(&mut element);
                }
            }
            // A fraction next to a bracket.
            Atom::Inner if before == Some(Atom::Inner) => out.push(em(1.0 / 6.0)),
            Atom::Function if operand => out.push(em(1.0 / 6.0)),
            Atom::Prime => {
                prime(&mut out, element);
                before = Some(Atom::Prime);
                continue;
            }
            _ => {}
        }
        out.push(element);
        if atom == Atom::Function
            && let Some(after) = after
        {
            // The invisible function application, for screen readers.
            out.push(Element::token(MathTag::Operator, '\u{2061}'));
            if matches!(
                after,
                Atom::Ordinary | Atom::Inner | Atom::Large | Atom::Function
            ) {
                out.push(em(1.0 / 6.0));
            }
        }
        if atom != Atom::Space {
            before = Some(match atom {
                Atom::Binary if !operand => Atom::Open,
                atom => atom,
            });
        }
    }
    out
}

/// Whether an upright letter continues an upright word: `\mathrm{km}` becomes one token.
fn joins(last: Option<&Element>, next: &Element) -> bool {
    let upright = |element: &Element| {
        element.tag == MathTag::Identifier && element.text().chars().all(is_letter)
    };
    let single = |element: &Element| {
        element
            .attributes
            .iter()
            .any(|(_, value)| value == "normal")
    };
    let greek = |element: &Element| !element.text().is_ascii();
    last.is_some_and(|last| {
        upright(last)
            && upright(next)
            && single(next)
            && !greek(next)
            && (single(last) || (last.attributes.is_empty() && last.text().len() > 1))
            && !greek(last)
    })
}

/// Whether a character is a letter, approximately: in Unicode, scripts lie before and after punctuation and
/// symbols. The exact answer needs Unicode tables.
pub(super) fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || ('À'..'\u{2000}').contains(&c) || c > '\u{2c00}'
}

/// Removes the spaces around an operator.
fn unspaced(element: &mut Element) {
    if element.tag == MathTag::Operator {
        element.set("lspace", "0");
        element.set("rspace", "0");
    }
}

/// Adds a prime as a superscript of its base.
fn prime(out: &mut Vec<Element>, sign: Element) {
    if let Some(last) = out.last_mut()
        && last.tag == MathTag::Sup
        && let ElementContent::Children(children) = &mut last.content
        && let Some(Element {
            tag: MathTag::Operator,
            content: ElementContent::Text(signs),
            ..
        }) = children.last_mut()
        && signs.starts_with('′')
    {
        signs.push_str(sign.text());
        return;
    }
    let base = out.pop().unwrap_or_else(|| Element::row(Vec::new()));
    out.push(Element::new(MathTag::Sup, vec![base, sign]));
}

/// A space in em; never negative, and never so wide that it moves elements out of sight.
pub(super) fn em(width: f32) -> Element {
    let hundredths = (width.clamp(0.0, 10.0) * 100.0) as u32;
    let width = format!("{}.{:02}em", hundredths / 100, hundredths % 100);
    let mut space = Element::new(MathTag::Space, Vec::new());
    space.set("width", width);
    space
}
