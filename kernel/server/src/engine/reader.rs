//! The one place where what an engine sent becomes texts and values of ours: within limits, with what cannot be read
//! replaced, and without the engine's key, which debugging servers and gateways repeat in whatever they answer.

use super::{ApiKey, lossy};
use sash_door::json_shape::JsonShape;
use sash_wire::Fault;
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

/// The deepest nesting of JSON in a reply, as in a request.
const MAX_DEPTH: usize = 64;
/// The most JSON values of a reply, or of a line of a stream, as in a request: one of two bytes takes two hundred in
/// memory. The details of the largest models have 10,000.
pub const MAX_VALUES: usize = 40_000;

/// Reads what one engine sends.
#[derive(Clone, Debug, Default)]
pub struct ReplyReader {
    key: Option<ApiKey>,
}

/// One object of a streamed answer, whose texts may begin or end inside a character.
#[derive(Clone, Debug)]
pub struct MarkedValue {
    /// The object.
    pub value: Value,
    /// The character before each half of a character; `None` if there is none.
    pub mark: Option<char>,
}

/// Why bytes are no JSON object of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyError {
    /// They are not JSON from this column on.
    NotJson(usize),
    /// They are something else: another value, or a page of HTML.
    NotObject,
    /// They have more values, or are nested deeper, than we read.
    TooComplex,
    /// They are more than we read.
    TooLong,
}

impl fmt::Display for ReplyError {
    /// What an engine sent, as the end of a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(column) => write!(f, "is not JSON (column {column})"),
            Self::NotObject => f.write_str("is no JSON object"),
            Self::TooComplex => {
                f.write_str("has more JSON values, or is nested deeper, than Sash reads")
            }
            Self::TooLong => f.write_str("is longer than Sash reads"),
        }
    }
}

impl ReplyReader {
    /// Reads what the engine with this key sends.
    #[must_use]
    pub fn new(key: Option<ApiKey>) -> Self {
        Self { key }
    }

    /// Reads one object: a line of a stream, or a body.
    ///
    /// # Errors
    /// [`ReplyError`]
    pub fn object(&self, bytes: &[u8]) -> Result<Value, ReplyError> {
        let mut shape = ReplyShape::new(MAX_VALUES);
        shape.push(bytes)?;
        self.parse(bytes)
    }

    /// Reads one object of a streamed answer.
    ///
    /// # Errors
    /// [`ReplyError`]
    pub fn piece(&self, bytes: &[u8]) -> Result<MarkedValue, ReplyError> {
        let mut shape = ReplyShape::new(MAX_VALUES);
        shape.push(bytes)?;
        let parsed = lossy::parse_marked(bytes);
        let (mut value, mark) = parsed.map_err(|error| ReplyError::NotJson(error.column()))?;
        if let Some(key) = &self.key {
            scrub(&mut value, key);
        }
        Ok(MarkedValue { value, mark })
    }

    /// Reads one object whose shape was checked while it came.
    ///
    /// # Errors
    /// [`ReplyError`]
    pub fn parse(&self, bytes: &[u8]) -> Result<Value, ReplyError> {
        let parsed = lossy::parse(bytes);
        let mut value = parsed.map_err(|error| ReplyError::NotJson(error.column()))?;
        if let Some(key) = &self.key {
            scrub(&mut value, key);
        }
        Ok(value)
    }

    /// Reads a text: the page of a proxy, a header.
    #[must_use]
    pub fn text(&self, bytes: &[u8]) -> String {
        let text = String::from_utf8_lossy(bytes);
        match &self.key {
            Some(key) => key.scrub(&text).into_owned(),
            None => text.into_owned(),
        }
    }
}

/// What is between the brackets of a list, without blanks: of a list of one object, that object. Google's errors are such
/// lists.
#[must_use]
pub fn item_of_list(bytes: &[u8]) -> Option<&[u8]> {
    let items = bytes.trim_ascii().strip_prefix(b"[")?.strip_suffix(b"]")?;
    Some(items.trim_ascii())
}

/// Whether bytes are the beginning of JSON, so that more may come.
#[must_use]
pub fn is_beginning(bytes: &[u8]) -> bool {
    let parsed = serde_json::from_slice::<serde::de::IgnoredAny>(bytes);
    parsed.is_err_and(|error| error.is_eof())
}

/// Parses a text within a reply, such as the arguments of a call, as leniently as the reply.
#[must_use]
pub fn parse_text(text: &str) -> Option<Value> {
    match is_within_limits(text) {
        true => lossy::parse(text.as_bytes()).ok(),
        false => None,
    }
}

/// Whether a text within a reply can be parsed as an object: it has no more values than a reply may have. A parser of
/// objects refuses anything else at its first sign.
#[must_use]
pub fn is_within_limits(text: &str) -> bool {
    ReplyShape::new(MAX_VALUES).push(text.as_bytes()) != Err(ReplyError::TooComplex)
}

/// The shape of a reply while it comes.
#[derive(Debug)]
pub struct ReplyShape(JsonShape);

impl ReplyShape {
    /// The shape of a reply with at most so many values.
    #[must_use]
    pub fn new(max_values: usize) -> Self {
        Self(JsonShape::new(MAX_DEPTH, max_values))
    }

    /// Whether the object has ended.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.0.is_whole()
    }

    /// Adds the next bytes.
    ///
    /// # Errors
    /// [`ReplyError::TooComplex`], and [`ReplyError::NotObject`] if they begin as something else.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), ReplyError> {
        self.0.push(bytes).map_err(|fault| match fault {
            Fault::TooComplex => ReplyError::TooComplex,
            _ => ReplyError::NotObject,
        })
    }
}

/// Removes the key from all texts, the names of fields included: an error may be shown as its JSON.
fn scrub(value: &mut Value, key: &ApiKey) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(scrubbed) = key.scrub(text) {
                *text = scrubbed;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| scrub(item, key)),
        Value::Object(fields) => {
            let has_key = |name: &String| matches!(key.scrub(name), Cow::Owned(_));
            if fields.keys().any(has_key) {
                let named = std::mem::take(fields).into_iter();
                *fields = named
                    .map(|(name, value)| (key.scrub(&name).into_owned(), value))
                    .collect();
            }
            fields.values_mut().for_each(|value| scrub(value, key));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn reader() -> ReplyReader {
        ReplyReader::new(Some(ApiKey::new("sk/secret+1").unwrap()))
    }

    #[test]
    fn the_key_is_in_no_value_however_it_is_written() {
        for (sent, read) in [
            (r#"{"a":"Bearer sk/secret+1."}"#, json!({"a":"Bearer …."})),
            (r#"{"a":["sk\/secret\u002B1"]}"#, json!({"a":["…"]})),
            (
                r#"{"sk/secret+1":{"b":"sk/secret+1sk/secret+1"}}"#,
                json!({"…":{"b":"……"}}),
            ),
            (r#"{"a":"sk/other","b":1}"#, json!({"a":"sk/other","b":1})),
        ] {
            assert_eq!(reader().object(sent.as_bytes()).unwrap(), read, "{sent}");
        }
        assert_eq!(reader().text(b"\xff sk/secret+1"), "\u{fffd} …");
        let none = ReplyReader::default();
        assert_eq!(none.text(b"sk/secret+1"), "sk/secret+1");
    }

    #[test]
    fn what_is_no_object_or_too_complex_is_told_apart() {
        let deep =
            |levels: usize| format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
        let wide = |count: usize| format!("{{\"a\":[{}]}}", vec!["0"; count].join(","));
        for (sent, error) in [
            ("[1]", ReplyError::NotObject),
            ("{oops", ReplyError::NotJson(2)),
            ("", ReplyError::NotJson(0)),
            (&deep(64), ReplyError::TooComplex),
            (&wide(40_000), ReplyError::TooComplex),
            (&"[],".repeat(1_000_000), ReplyError::NotObject),
            ("<html>", ReplyError::NotObject),
        ] {
            assert_eq!(reader().object(sent.as_bytes()), Err(error));
        }
        for sent in [deep(63), wide(39_000)] {
            assert!(reader().object(sent.as_bytes()).is_ok());
        }
        assert!(is_within_limits(&wide(10)) && !is_within_limits(&wide(40_000)));
    }
}
