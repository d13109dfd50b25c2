//! JSON and times in Go's formats.

use serde::Serialize;
use serde_json::Value;
use std::time::SystemTime;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Writes a value as Go's encoder does: on one line, with `<`, `>`, `&` and the two line separators escaped.
/// These occur only inside strings, so they can be replaced in the finished text.
#[must_use]
pub fn to_go_json(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).unwrap_or_default();
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            c => out.push(c),
        }
    }
    out
}

/// RFC 3339 in UTC, up to nine fractional digits, trailing zeros cut.
#[must_use]
pub fn stamp(at: SystemTime) -> String {
    OffsetDateTime::from(at)
        .format(&Rfc3339)
        .unwrap_or_default()
}

/// Now, as [`stamp`] writes it.
#[must_use]
pub fn now() -> String {
    stamp(SystemTime::now())
}

/// Reads the first JSON value of a body as Go's decoder does: invalid UTF-8 and lone surrogates become
/// U+FFFD, and text after the value is ignored.
///
/// # Errors
/// Go's error text, in the frequent cases.
pub fn first_value(body: &[u8]) -> Result<Value, String> {
    let text = replace_lone_surrogates(&String::from_utf8_lossy(body));
    let mut stream = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
    match stream.next() {
        None => Err("missing request body".to_owned()),
        Some(Ok(value)) => Ok(value),
        Some(Err(e)) if e.is_eof() => Err("unexpected EOF".to_owned()),
        Some(Err(e)) => Err(complaint(&text, e.line(), e.column())),
    }
}

fn complaint(text: &str, line: usize, column: usize) -> String {
    let line = text.split('\n').nth(line.saturating_sub(1)).unwrap_or("");
    let before = line.get(..column.saturating_sub(1)).unwrap_or(line);
    let c = line
        .get(column.saturating_sub(1)..)
        .and_then(|rest| rest.chars().next())
        .unwrap_or(' ');
    let place = if before.trim_end().ends_with('{') {
        "looking for beginning of object key string"
    } else {
        "looking for beginning of value"
    };
    format!("invalid character '{c}' {place}")
}

/// Replaces unpaired surrogate escapes such as `\uD800`, which Go accepts and serde_json refuses.
fn replace_lone_surrogates(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (head, tail) = rest.split_at(at);
        out.push_str(head);
        let unit = |from: usize| {
            let escape = tail.get(from..from + 6)?;
            let digits = escape.strip_prefix("\\u")?;
            u32::from_str_radix(digits, 16).ok()
        };
        let skip = match unit(0) {
            Some(0xD800..=0xDBFF) if matches!(unit(6), Some(0xDC00..=0xDFFF)) => 12,
            Some(0xD800..=0xDFFF) => {
                out.push_str("\\ufffd");
                rest = &tail[6..];
                continue;
            }
            Some(_) => 6,
            // A backslash and the character after it.
            None => 1 + tail[1..].chars().next().map_or(0, char::len_utf8),
        };
        out.push_str(&tail[..skip]);
        rest = &tail[skip..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn escapes_as_go_does() {
        assert_eq!(
            to_go_json(&"<b>&\u{2028}é🌍\n"),
            "\"\\u003cb\\u003e\\u0026\\u2028é🌍\\n\""
        );
    }

    #[test]
    fn cuts_the_zeros_of_times() {
        let at = |nanos| UNIX_EPOCH + Duration::new(1_795_235_498, nanos);
        assert_eq!(stamp(at(951_115_990)), "2026-11-21T04:31:38.95111599Z");
        assert_eq!(stamp(at(0)), "2026-11-21T04:31:38Z");
    }

    #[test]
    fn reads_the_first_value_only() {
        assert_eq!(first_value(b"[1] xx"), Ok(serde_json::json!([1])));
        assert_eq!(
            first_value(br#""\ud83d x \ud83d\ude00 \\ud83d""#),
            Ok(Value::from("\u{fffd} x \u{1f600} \\ud83d"))
        );
        assert_eq!(first_value(b""), Err("missing request body".to_owned()));
        assert_eq!(
            first_value(b"{\"model\":"),
            Err("unexpected EOF".to_owned())
        );
        assert_eq!(
            first_value(b"hello"),
            Err("invalid character 'h' looking for beginning of value".to_owned())
        );
    }
}
