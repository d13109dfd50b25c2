//! Helpers for lines: the last line, the markers that a line begins with, and blank lines.

/// Splits a text before its last line, which may be empty.
pub(super) fn cut_line(text: &str) -> (&str, &str) {
    text.split_at(text.rfind('\n').map_or(0, |at| at + 1))
}

/// A line without the quote and list markers that it begins with.
pub(super) fn behind_marks(line: &str) -> &str {
    let mut rest = line;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '>']);
        let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let marks: &[char] = match rest.len() - number.len() {
            0 => &['-', '*', '+'],
            _ => &['.', ')'],
        };
        match number.strip_prefix(marks) {
            Some(inner) if inner.starts_with([' ', '\t']) => rest = inner,
            _ => return rest,
        }
    }
}

/// Whether a line holds nothing but white space.
pub(super) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|b| matches!(b, b' ' | b'\t' | b'\r'))
}
