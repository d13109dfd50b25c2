//! Converts formulas in TeX to a closed set of MathML elements.
//!
//! | file | what it is for |
//! | --- | --- |
//! | `prepare` | refuses formulas before parsing, and rewrites commands that the parser does not know |
//! | `build` | builds elements from the parser's events |
//! | `row` | elements in a row: spaces, signs, primes |
//! | `text` | text, and names of functions |
//! | `table` | matrices, cases, aligned lines |
//! | `letters` | bold, script, double-struck and the other alphabets of Unicode |
//! | `limits` | how long and how deep a formula may be |
//! | `element` | [`Element`] and [`MathTag`]: the closed set of results |
//!
//! A formula is data like the rest of an answer: macros cannot be defined, colours and styles are ignored,
//! and no command can produce a link, an image or an attribute of the model's choosing. A formula that is not
//! completely understood is not shown in part: [`parse`] returns `None`, and the page shows the source.

mod build;
mod element;
mod letters;
mod limits;
mod prepare;
mod row;
mod table;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
mod text;

pub use element::{Element, ElementContent, MathTag};
pub use limits::{MAX_BYTES, MAX_DEPTH};

/// The `math` element for a formula, given without its delimiters; `None` if it is not understood.
#[must_use]
pub fn parse(source: &str, display: bool) -> Option<Element> {
    let prepared = prepare::prepare(source)?;
    let children = build::build(&prepared, display, 0)?;
    let mut math = Element::new(MathTag::Math, children);
    if display {
        math.set("display", "block");
    }
    math.set("alttext", source.trim().to_owned());
    Some(math)
}
