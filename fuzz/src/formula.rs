//! Formulas: any TeX is converted to elements or rejected, and a second conversion gives the same
//! result.

use super::text;
use sash_markdown::mathml;

/// Converts a formula twice; the first byte says whether it is a display formula.
///
/// # Panics
/// When the two results differ.
pub fn run(data: &[u8]) {
    let (first, source) = text(data);
    let is_display = first % 2 == 1;
    let read = || mathml::parse(&source, is_display).map(|element| format!("{element:?}"));
    assert_eq!(read(), read(), "{source:?}");
}
