//! Builds the DOM elements of a formula from [`sash_markdown::mathml`]'s elements.
//!
//! No string is parsed as HTML; the elements and the names of their attributes are a closed set.

mod copied;
#[cfg(test)]
mod tests;

pub use copied::listen;
use sash_browser_kit::console::LogError;

use sash_markdown::mathml::{Element, ElementContent, parse};
use web_sys::Document;

const MATHML: &str = "http://www.w3.org/1998/Math/MathML";

/// Replaces the content of `place` by the formula; if the formula is not understood, the content stays.
pub fn show(place: &web_sys::Element, tex: &str, display: bool) {
    let document = place.owner_document();
    let math = parse(tex, display).zip(document);
    if let Some(math) = math.and_then(|(math, document)| build(&document, &math)) {
        place.set_text_content(None);
        place.append_child(&math).log_error();
    }
}

fn build(document: &Document, element: &Element) -> Option<web_sys::Element> {
    let name = element.tag.name();
    let made = document.create_element_ns(Some(MATHML), name).ok()?;
    for (name, value) in &element.attributes {
        made.set_attribute(name, value).ok()?;
    }
    match &element.content {
        ElementContent::Text(text) => made.set_text_content(Some(text)),
        ElementContent::Children(children) => {
            for child in children {
                let child = build(document, child)?;
                made.append_child(&child).ok()?;
            }
        }
    }
    Some(made)
}
