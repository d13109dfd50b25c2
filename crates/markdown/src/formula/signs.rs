//! The mask characters: control characters that replace Markdown's special characters within a formula, one
//! byte for one byte, so that all positions stay the same.

use std::borrow::Cow;

/// The special characters of Markdown, and the space, because two at the end of a line break it.
const SIGNS: &[u8; 18] = b"*_~`[]<>&|\\#-+=.) ";
/// Their masks, in the same order.
const MASKS: &[u8; 18] =
    b"\x01\x02\x03\x04\x05\x06\x07\x08\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17";
/// Masks of delimiters: a single `$`, the first one of `$$`, and the backslash of `\(`, `\)`, `\[`, `\]`.
pub(super) const DOLLAR: char = '\x18';
pub(super) const DOLLARS: char = '\x19';
pub(super) const BACKSLASH: char = '\x1a';
/// The mask of the `[` of a footnote reference.
pub(super) const FOOTNOTE: char = '\x1b';

pub(super) fn mask_of(sign: u8) -> Option<u8> {
    let at = SIGNS.iter().position(|one| *one == sign)?;
    Some(MASKS[at])
}

pub(super) fn is_mask(byte: u8) -> bool {
    MASKS.contains(&byte) || (0x18..=0x1b).contains(&byte)
}

/// Reverses `mask`.
pub(crate) fn restore(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(is_mask) {
        return Cow::Borrowed(text);
    }
    let sign = |c: char| match c {
        DOLLAR | DOLLARS => '$',
        BACKSLASH => '\\',
        FOOTNOTE => '[',
        c => match u8::try_from(c)
            .ok()
            .and_then(|b| MASKS.iter().position(|one| *one == b))
        {
            Some(at) => char::from(SIGNS[at]),
            None => c,
        },
    };
    Cow::Owned(text.chars().map(sign).collect())
}

/// The number of consecutive dollar signs.
pub(super) fn dollars(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().take_while(|b| **b == b'$').count()
}
