//! Finds where a value of a JSON text ends and how many parts it has, without parsing it: a file of many
//! chats is read one chat at a time, and a value of a million parts not at all.

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

/// Iterates over the items of a list.
#[derive(Clone, Debug)]
pub struct Items {
    at: usize,
    state: ItemsState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ItemsState {
    Begun,
    Running,
    Ended,
}

impl Items {
    /// The items of the list whose opening bracket is at `at`.
    pub fn new(at: usize) -> Self {
        Self {
            at: at + 1,
            state: ItemsState::Begun,
        }
    }

    /// The index up to which the text is read.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The next item; `None` at the end.
    ///
    /// # Errors
    /// `Err` where the text becomes invalid; nothing follows then.
    pub fn next(&mut self, text: &str) -> Option<Result<Span, ()>> {
        if self.state == ItemsState::Ended {
            return None;
        }
        let found = self.item(text);
        match &found {
            Some(Ok(span)) => {
                self.at = span.at.end;
                self.state = ItemsState::Running;
            }
            _ => self.state = ItemsState::Ended,
        }
        found
    }

    fn item(&mut self, text: &str) -> Option<Result<Span, ()>> {
        let mut at = skip_blank(text, self.at);
        let next = text.as_bytes().get(at);
        match (next, self.state) {
            (Some(b']'), _) => return None,
            (Some(b','), ItemsState::Running) => at = skip_blank(text, at + 1),
            (Some(_), ItemsState::Begun) => {}
            _ => return Some(Err(())),
        }
        Some(span(text, at).filter(|span| !span.at.is_empty()).ok_or(()))
    }
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

    fn items(text: &str) -> (Vec<&str>, bool) {
        let mut items = Items::new(0);
        let mut found = Vec::new();
        while let Some(item) = items.next(text) {
            match item {
                Ok(span) => found.push(&text[span.at]),
                Err(()) => return (found, false),
            }
        }
        (found, true)
    }

    #[test]
    fn a_list_is_taken_apart_without_being_read() {
        for (text, expected, whole) in [
            ("[]", vec![], true),
            ("[ ]", vec![], true),
            (
                "[1, \"a]\\\"\" ,{\"b\":[2,{}]} ]",
                vec!["1", "\"a]\\\"\"", "{\"b\":[2,{}]}"],
                true,
            ),
            ("[1,2", vec!["1", "2"], false),
            ("[1 2]", vec!["1"], false),
            ("[1,{\"a\":[", vec!["1"], false),
            ("[,1]", vec![], false),
            ("[1,]", vec!["1"], false),
            ("[\"a", vec![], false),
            ("[\"a\\", vec![], false),
            ("[", vec![], false),
            ("[{}}]", vec!["{}"], false),
        ] {
            assert_eq!(items(text), (expected, whole), "{text}");
        }
    }

    #[test]
    fn nesting_of_any_depth_is_walked_over() {
        let deep = format!("[{}{},7]", "[".repeat(100_000), "]".repeat(100_000));
        let (found, whole) = items(&deep);
        assert_eq!((found.len(), found[1], whole), (2, "7", true));
    }

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
