//! Formulas: any TeX becomes elements or is refused, and reading it again gives the same.

use super::text;
use sash_markdown::mathml;

/// Reads a formula twice; the first byte says whether it stands on a line of its own.
///
/// # Panics
/// When the two differ.
pub fn run(data: &[u8]) {
    let (first, source) = text(data);
    let is_display = first % 2 == 1;
    let read = || mathml::parse(&source, is_display).map(|element| format!("{element:?}"));
    assert_eq!(read(), read(), "{source:?}");
}
