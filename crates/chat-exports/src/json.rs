//! Finds where a value of a JSON text ends and how many parts it has, without parsing it: a value of a million parts is
//! not read at all.

use std::ops::Range;

/// The most objects and lists of a value that is parsed at once: in memory each takes up to a kilobyte, and a
/// message has about ten.
pub(super) const MAX_OBJECTS: usize = 200_000;
/// The most values within a value that is parsed at once.
pub(super) const MAX_VALUES: usize = 3_000_000;

/// A value in a JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its byte range.
    pub at: Range<usize>,
    /// Whether it has few enough parts to be parsed at once.
    pub is_small: bool,
}

/// Finds the end of the value that starts at `from`, by brackets and quotes alone. `None` where it does not
/// end.
pub fn span(text: &str, from: usize) -> Option<Span> {
    let bytes = text.as_bytes();
    let (mut at, mut depth, mut objects, mut values) = (from, 0_usize, 0_usize, 0_usize);
    loop {
        match *bytes.get(at)? {
            b'"' => at = end_of_string(bytes, at)?,
            b'{' | b'[' => {
                depth += 1;
                objects += 1;
                at += 1;
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                at += 1;
            }
            b',' => {
                values += 1;
                at += 1;
            }
            _ if depth > 0 => at += 1,
            _ => {
                let rest = bytes.get(at..)?;
                let ends = |b: &u8| {
                    matches!(b, b',' | b']' | b'}' | b'{' | b'[' | b'"') || b.is_ascii_whitespace()
                };
                at += rest.iter().position(ends).unwrap_or(rest.len());
            }
        }
        if depth == 0 {
            // A value cannot start with a comma.
            return (values == 0 || objects > 0).then_some(Span {
                at: from..at,
                is_small: objects <= MAX_OBJECTS && values <= MAX_VALUES,
            });
        }
    }
}

/// The index after the closing quote of the string that starts at `at`.
fn end_of_string(bytes: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        match *bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// The index after the white space at `at`.
pub fn skip_blank(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    let blank = rest
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'))
        .count();
    at + blank
}

/// Finds the value of a field of the object at `at`, without parsing the other fields.
pub fn field(text: &str, at: usize, name: &str) -> Option<Range<usize>> {
    let mut at = skip_blank(text, at + 1);
    loop {
        let key = span(text, at)?.at;
        let found = text.get(key.clone())?.trim_matches('"') == name;
        at = skip_blank(text, key.end);
        (text.as_bytes().get(at) == Some(&b':')).then_some(())?;
        let value = span(text, skip_blank(text, at + 1))?.at;
        if found {
            return Some(value);
        }
        at = skip_blank(text, value.end);
        (text.as_bytes().get(at) == Some(&b',')).then_some(())?;
        at = skip_blank(text, at + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_too_many_parts_is_known_before_it_is_read() {
        let many = format!("[{}{{}}]", "{},".repeat(MAX_OBJECTS));
        assert!(!span(&many, 0).unwrap().is_small);
        let many = format!("[{}0]", "0,".repeat(MAX_VALUES + 1));
        assert!(!span(&many, 0).unwrap().is_small);
        assert!(span("[{},{}]", 0).unwrap().is_small);
    }

    #[test]
    fn a_field_is_found_without_reading_the_others() {
        let text = " { \"a\" : {\"b\":1} , \"b\" : [2] }";
        assert_eq!(field(text, 1, "b").map(|at| &text[at]), Some("[2]"));
        assert_eq!(field(text, 1, "c"), None);
        assert_eq!(field("{", 0, "a"), None);
        assert_eq!(field("{}", 0, "a"), None);
    }
}
