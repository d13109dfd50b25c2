//! A formula in an answer: MathML, or its source where the formula is not understood.

use super::build::{append, scroller, with};
use crate::ui::formula;
use sash_markdown::tex;
use web_sys::Element;

/// A formula as it was written. An `open` one stays so.
pub(super) fn formula(written: &str, display: bool, open: bool) -> Element {
    let place = match display {
        true => scroller("span", "formula display", "Formula"),
        // One that scrolls in itself is within reach of the keyboard.
        false => match width(written) {
            "formula" => with("span", &[("class", "formula")]),
            long => scroller("span", long, "Formula"),
        },
    };
    // What a copy of the answer has in place of it.
    let _ = place.set_attribute("data-source", written);
    let source = with("code", &[("title", "Not shown as a formula")]);
    source.set_text_content(Some(written));
    append(&place, &source);
    if !open {
        formula::show(&place, tex(written), display);
    }
    place
}

/// The class of a formula within a line, which cannot be broken: whether it may be wider than a narrow page, or any.
fn width(written: &str) -> &'static str {
    match written.len() {
        0..40 => "formula",
        40..120 => "formula long",
        _ => "formula long longer",
    }
}
