//! Decodes fields as Go's decoder does: keys ignore case, `null` counts as unset, and errors have Go's
//! wording.

use super::http::{HttpResponse, refuse};
use super::json;
use hyper::StatusCode;
use serde_json::{Map, Value};
use std::time::Duration;

/// A refused request: the status and the text under `error`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestRefusal {
    /// The HTTP status.
    pub status: StatusCode,
    /// The text.
    pub text: String,
}

impl RequestRefusal {
    /// A refusal with any status.
    pub fn new(status: StatusCode, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { status, text }
    }

    /// A refusal with status 400.
    pub fn bad(text: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, text)
    }

    /// A refusal with status 404.
    pub fn missing(text: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, text)
    }
}

impl From<RequestRefusal> for HttpResponse {
    fn from(refusal: RequestRefusal) -> Self {
        refuse(refusal.status, &refusal.text)
    }
}

/// The fields of an object, and Go's name for where they are.
pub struct Fields<'a> {
    map: &'a Map<String, Value>,
    place: String,
}

/// Decodes a body whose Go type is `api.<kind>`.
pub fn object(body: &[u8], kind: &str) -> Result<Map<String, Value>, RequestRefusal> {
    match json::first_value(body).map_err(RequestRefusal::bad)? {
        Value::Object(map) => Ok(map),
        Value::Null => Ok(Map::new()),
        other => Err(RequestRefusal::bad(format!(
            "json: cannot unmarshal {} into Go value of type api.{kind}",
            go_kind(&other)
        ))),
    }
}

impl<'a> Fields<'a> {
    /// The fields of `map`, whose Go name is `place`.
    pub fn new(map: &'a Map<String, Value>, place: impl Into<String>) -> Self {
        let place = place.into();
        Self { map, place }
    }

    /// A field; `None` when absent or null.
    pub fn get(&self, key: &str) -> Option<&'a Value> {
        let found = self.map.iter().rfind(|(k, _)| k.eq_ignore_ascii_case(key));
        found.map(|(_, v)| v).filter(|v| !v.is_null())
    }

    /// The refusal of a field with the wrong type.
    pub fn wrong(&self, key: &str, value: &Value, wanted: &str) -> RequestRefusal {
        RequestRefusal::bad(format!(
            "json: cannot unmarshal {} into Go struct field {}.{key} of type {wanted}",
            go_kind(value),
            self.place
        ))
    }

    /// A string, empty when unset.
    pub fn text(&self, key: &str) -> Result<String, RequestRefusal> {
        match self.get(key) {
            None => Ok(String::new()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(other) => Err(self.wrong(key, other, "string")),
        }
    }

    /// A boolean.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, RequestRefusal> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(other) => Err(self.wrong(key, other, "bool")),
        }
    }

    /// An integer.
    pub fn integer(&self, key: &str) -> Result<Option<i64>, RequestRefusal> {
        match self.get(key) {
            None => Ok(None),
            Some(value) => match value.as_i64() {
                Some(number) => Ok(Some(number)),
                None => Err(self.wrong(key, value, "int")),
            },
        }
    }

    /// An array whose Go element type is `element`; empty when unset.
    pub fn list(&self, key: &str, element: &str) -> Result<&'a [Value], RequestRefusal> {
        match self.get(key) {
            None => Ok(&[]),
            Some(Value::Array(items)) => Ok(items),
            Some(other) => Err(self.wrong(key, other, &format!("[]{element}"))),
        }
    }

    /// The fields of one object in a list.
    pub fn inner(
        &self,
        key: &str,
        value: &'a Value,
        element: &str,
    ) -> Result<Fields<'a>, RequestRefusal> {
        match value {
            Value::Object(map) => Ok(Fields::new(map, format!("{}.{key}", self.place))),
            other => Err(self.wrong(key, other, element)),
        }
    }

    /// `keep_alive`: seconds or a Go duration; `Duration::MAX` keeps the model loaded for ever.
    pub fn keep_alive(&self) -> Result<Option<Duration>, RequestRefusal> {
        let seconds = match self.get("keep_alive") {
            None => return Ok(None),
            Some(Value::Number(number)) => number.as_f64().unwrap_or(0.0),
            Some(Value::String(text)) => go_duration(text).map_err(RequestRefusal::bad)?,
            Some(Value::Bool(_)) => return Err(RequestRefusal::bad("Unsupported type: 'bool'")),
            Some(other) => {
                let kind = if other.is_array() {
                    "[]interface {}"
                } else {
                    "map[string]interface {}"
                };
                return Err(RequestRefusal::bad(format!("Unsupported type: '{kind}'")));
            }
        };
        let forever = seconds < 0.0;
        let span = Duration::try_from_secs_f64(seconds.max(0.0));
        Ok(Some(match span {
            Ok(span) if !forever => span,
            _ => Duration::MAX,
        }))
    }
}

/// Go's `time.ParseDuration`, in seconds.
fn go_duration(text: &str) -> Result<f64, String> {
    let invalid = || format!("time: invalid duration \"{text}\"");
    let (sign, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Ok(0.0);
    }
    let mut seconds = 0.0;
    if rest.is_empty() {
        return Err(invalid());
    }
    while !rest.is_empty() {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(rest.len());
        let number: f64 = rest[..digits].parse().map_err(|_| invalid())?;
        rest = &rest[digits..];
        let letters = rest
            .find(|c: char| c.is_ascii_digit() || c == '.')
            .unwrap_or(rest.len());
        let unit = match &rest[..letters] {
            "" => return Err(format!("time: missing unit in duration \"{text}\"")),
            "ns" => 1e-9,
            "us" | "µs" | "μs" => 1e-6,
            "ms" => 1e-3,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            unit => {
                return Err(format!(
                    "time: unknown unit \"{unit}\" in duration \"{text}\""
                ));
            }
        };
        seconds += number * unit;
        rest = &rest[letters..];
    }
    Ok(sign * seconds)
}

fn go_kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(go_duration("1h30m"), Ok(5400.0));
        assert_eq!(go_duration("-1s"), Ok(-1.0));
        assert_eq!(go_duration("0"), Ok(0.0));
        assert_eq!(
            go_duration("abc"),
            Err("time: invalid duration \"abc\"".to_owned())
        );
        assert!(go_duration("10").is_err_and(|e| e.contains("missing unit")));
    }

    #[test]
    fn keys_know_no_case_and_null_is_unset() {
        let map = object(br#"{"MODEL":"x","stream":null}"#, "ChatRequest").unwrap();
        let fields = Fields::new(&map, "ChatRequest");
        assert_eq!(fields.text("model").unwrap(), "x");
        assert_eq!(fields.flag("stream").unwrap(), None);
    }
}
