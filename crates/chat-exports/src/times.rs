//! Parses the times of other programs to milliseconds since 1970.

use serde::Deserialize;
use serde::de::IgnoredAny;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// A time in milliseconds since 1970, parsed from a number of seconds, milliseconds or microseconds, or from
/// ISO 8601 text. Any other value is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Written")]
pub struct Time(pub Option<u64>);

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(f64),
    Text(String),
    Other(IgnoredAny),
}

impl From<Written> for Time {
    fn from(written: Written) -> Self {
        Self(match written {
            Written::Number(number) => of_number(number),
            Written::Text(text) => of_text(&text),
            Written::Other(_) => None,
        })
    }
}

fn of_number(number: f64) -> Option<u64> {
    // The unit follows from the size: as seconds the first of these bounds is in the year 5138, as
    // milliseconds in 1973.
    let ms = match number {
        n if n <= 0.0 => return None,
        n if n < 1e11 => n * 1000.0,
        n if n < 1e14 => n,
        n if n < 1e17 => n / 1000.0,
        n => n / 1e6,
    };
    Some(ms as u64)
}

/// Parses `2026-11-21T17:50:37.123Z`, also without the fraction, with an offset, or without a time zone,
/// which is taken for UTC.
fn of_text(text: &str) -> Option<u64> {
    let parse = |text: &str| OffsetDateTime::parse(text, &Rfc3339).ok();
    let text = text.replacen(' ', "T", 1);
    let time = parse(&text).or_else(|| parse(&format!("{text}Z")))?;
    u64::try_from(time.unix_timestamp_nanos() / 1_000_000).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn time(value: &Value) -> Option<u64> {
        Time::deserialize(value).unwrap().0
    }

    #[test]
    fn times_are_read_as_each_program_writes_them() {
        let expected = Some(1_709_164_740_123);
        for value in [
            json!(1_709_164_740.123),
            json!(1_709_164_740_123_u64),
            json!(1_709_164_740_123_456_u64),
            json!(1_709_164_740_123_456_789_u64),
            json!("2024-02-28T23:59:00.123Z"),
            json!("2024-02-28T23:59:00.123456Z"),
            json!("2024-02-28 23:59:00.123"),
            json!("2024-02-29T01:29:00.123+01:30"),
        ] {
            assert_eq!(time(&value), expected, "{value}");
        }
        assert_eq!(time(&json!("1970-01-01T00:00:00Z")), Some(0));
        for value in [
            json!("yesterday"),
            json!("2024-13-01T00:00:00Z"),
            json!("1969-12-31T23:59:59Z"),
            json!("日本日本日本日本日本"),
            json!(-5),
            json!(null),
            json!(["2024"]),
        ] {
            assert_eq!(time(&value), None, "{value}");
        }
        assert!(time(&json!(1e308)).is_some());
    }
}
