//! Texts that look like nothing.

/// Whether all that a text has is white space and characters without a shape. The page says of such a text that there is
/// none, so no model gets it either.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    let is_shapeless = |c: char| matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}');
    text.chars()
        .all(|c| c.is_whitespace() || c.is_control() || is_shapeless(c))
}
