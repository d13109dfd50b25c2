//! A JSON parser that preserves the order of keys, duplicate keys and the spelling of every string.

use std::fmt;

/// A value; strings, numbers and literals are kept as they were written.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// An object, in order.
    Object(Vec<(String, Json)>),
    /// An array.
    Array(Vec<Json>),
    /// Anything else, as written.
    Plain(String),
}

impl Json {
    /// Parses one value; `None` if the text is not exactly one value.
    pub fn read(text: &str) -> Option<Self> {
        let (value, rest) = value(text)?;
        rest.trim().is_empty().then_some(value)
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Self::Object(fields) => fields.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }
}

fn value(text: &str) -> Option<(Json, &str)> {
    let text = text.trim_start();
    match text.chars().next()? {
        '{' => {
            let mut fields = Vec::new();
            let mut rest = text[1..].trim_start();
            while !rest.starts_with('}') {
                let (key, tail) = string(rest)?;
                let (inner, tail) = value(tail.trim_start().strip_prefix(':')?)?;
                fields.push((key.trim_matches('"').to_owned(), inner));
                let tail = tail.trim_start();
                rest = tail.strip_prefix(',').unwrap_or(tail).trim_start();
            }
            Some((Json::Object(fields), &rest[1..]))
        }
        '[' => {
            let mut items = Vec::new();
            let mut rest = text[1..].trim_start();
            while !rest.starts_with(']') {
                let (inner, tail) = value(rest)?;
                items.push(inner);
                let tail = tail.trim_start();
                rest = tail.strip_prefix(',').unwrap_or(tail).trim_start();
            }
            Some((Json::Array(items), &rest[1..]))
        }
        '"' => string(text).map(|(text, rest)| (Json::Plain(text.to_owned()), rest)),
        _ => {
            let end = text.find([',', '}', ']', ' ', '\n']).unwrap_or(text.len());
            let word = &text[..end];
            let known = word.parse::<f64>().is_ok() || ["true", "false", "null"].contains(&word);
            known.then(|| (Json::Plain(word.to_owned()), &text[end..]))
        }
    }
}

fn string(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('"')?;
    let mut escaped = false;
    for (at, c) in inner.char_indices() {
        match c {
            '"' if !escaped => return Some(text.split_at(at + 2)),
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    None
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(text) => f.write_str(text),
            Self::Array(items) => {
                f.write_str("[")?;
                for (at, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if at > 0 { "," } else { "" })?;
                }
                f.write_str("]")
            }
            Self::Object(fields) => {
                f.write_str("{")?;
                for (at, (key, value)) in fields.iter().enumerate() {
                    write!(f, "{}\"{key}\":{value}", if at > 0 { "," } else { "" })?;
                }
                f.write_str("}")
            }
        }
    }
}
