//! A formula in an answer: MathML, or its source if the formula is not understood.

use super::element::{append, scroller, with};
use crate::browser::console::LogError;
use crate::ui::formula;
use sash_markdown::tex;
use web_sys::Element;

/// Builds a formula. An `open` one stays its source.
pub(super) fn formula(written: &str, display: bool, open: bool) -> Element {
    let place = match display {
        true => scroller("span", "formula display", "Formula"),
        // A formula that scrolls must be focusable by keyboard.
        false => match width(written) {
            "formula" => with("span", &[("class", "formula")]),
            long => scroller("span", long, "Formula"),
        },
    };
    // A copy of the answer contains this source instead.
    place.set_attribute("data-source", written).log_error();
    let source = with("code", &[("title", "Not shown as a formula")]);
    source.set_text_content(Some(written));
    append(&place, &source);
    if !open {
        formula::show(&place, tex(written), display);
    }
    place
}

/// The class of an inline formula, which cannot be broken: whether it may be wider than a narrow page, or
/// than any.
fn width(written: &str) -> &'static str {
    match written.len() {
        0..40 => "formula",
        40..120 => "formula long",
        _ => "formula long longer",
    }
}
