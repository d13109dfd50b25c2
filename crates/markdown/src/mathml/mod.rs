//! Formulas in TeX to a closed set of MathML elements.
//!
//! | file | what it is for |
//! | --- | --- |
//! | `prepare` | what is refused before parsing, and commands that the parser does not know in words that it does |
//! | `build` | the parser's events to elements |
//! | `row` | what stands beside what: spaces, signs, primes |
//! | `text` | words, and names of functions |
//! | `table` | matrices, cases, aligned lines |
//! | `letters` | bold, script, double-struck and the other alphabets of Unicode |
//! | `element` | [`Element`] and [`Tag`]: all that can come out |
//!
//! A formula is data like the rest of an answer: no macro is defined, no colour or style is taken over, no
//! command leads to a link, an image or an attribute of the model's choosing. What is not understood as a whole
//! is not shown in part: [`parse`] gives nothing, and the page shows the source.

mod build;
mod element;
mod letters;
mod prepare;
mod row;
mod table;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
mod text;

pub use element::{Content, Element, Tag};

/// The longest formula that is parsed, in bytes.
pub const MAX_BYTES: usize = 8192;

/// How deep elements and groups nest in a formula.
pub const MAX_DEPTH: usize = 64;

/// The `math` element for a formula, without its delimiters; nothing where it is no TeX that we know.
#[must_use]
pub fn parse(source: &str, display: bool) -> Option<Element> {
    let prepared = prepare::prepare(source)?;
    let children = build::build(&prepared, display, 0)?;
    let mut math = Element::new(Tag::Math, children);
    if display {
        math.set("display", "block");
    }
    math.set("alttext", source.trim().to_owned());
    Some(math)
}
