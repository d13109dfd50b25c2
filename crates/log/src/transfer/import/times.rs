//! Times as other programs write them, to milliseconds since 1970.

use serde_json::Value;

/// A time as a number of seconds, or of thousandth or millionth parts of them, or as text of ISO 8601.
pub fn time(value: Option<&Value>) -> Option<u64> {
    match value? {
        Value::Number(number) => {
            let number = number.as_f64().filter(|n| *n > 0.0)?;
            // By their size: as seconds the first of these bounds lies in the year 5138, as thousandths in 1973.
            let ms = match number {
                n if n < 1e11 => n * 1000.0,
                n if n < 1e14 => n,
                n if n < 1e17 => n / 1000.0,
                n => n / 1e6,
            };
            Some(ms as u64)
        }
        Value::String(text) => iso(text),
        _ => None,
    }
}

/// `2026-11-21T17:50:37.123Z`, also without the fraction, and with an offset.
fn iso(text: &str) -> Option<u64> {
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = text.get(from..to)?;
        let all = digits.bytes().all(|b| b.is_ascii_digit());
        all.then(|| digits.parse().ok()).flatten()
    };
    let mark = |at: usize| text.as_bytes().get(at).copied();
    if mark(4)? != b'-' || mark(7)? != b'-' || !matches!(mark(10)?, b'T' | b' ') {
        return None;
    }
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let sane = (1..=12).contains(&month) && (1..=31).contains(&day);
    if !sane || hour > 24 || minute > 59 || second > 60 {
        return None;
    }
    let rest = text.get(19..)?;
    let fraction = rest.strip_prefix('.').map_or("", |rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit());
        rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
    });
    let zone = rest.get(fraction.len() + usize::from(rest.starts_with('.'))..)?;
    let thousandths = format!("{fraction:0<3}").get(..3)?.parse::<i64>().ok()?;
    let offset = match zone.as_bytes() {
        [b'+', h1, h2, b':', m1, m2] => minutes([h1, h2, m1, m2])?,
        [b'-', h1, h2, b':', m1, m2] => -minutes([h1, h2, m1, m2])?,
        _ => 0,
    };
    let days = days(year, month, day);
    let minutes = days * 1440 + hour * 60 + minute - offset;
    u64::try_from(minutes * 60_000 + second * 1000 + thousandths).ok()
}

fn minutes(digits: [&u8; 4]) -> Option<i64> {
    let [h1, h2, m1, m2] = digits.map(|d| i64::from(*d) - i64::from(b'0'));
    let sane = [h1, h2, m1, m2].iter().all(|d| (0..10).contains(d));
    sane.then_some((h1 * 10 + h2) * 60 + m1 * 10 + m2)
}

/// Days after 1970-01-01: years that begin in March, in eras of 400.
/// (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".)
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let month = (month + 9) % 12;
    let of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
            assert_eq!(time(Some(&value)), expected, "{value}");
        }
        assert_eq!(time(Some(&json!("1970-01-01T00:00:00Z"))), Some(0));
        for value in [
            json!("yesterday"),
            json!("2024-13-01T00:00:00Z"),
            json!("1969-12-31T23:59:59Z"),
            json!("日本日本日本日本日本"),
            json!(-5),
            json!(null),
            json!(["2024"]),
        ] {
            assert_eq!(time(Some(&value)), None, "{value}");
        }
        assert!(time(Some(&json!(1e308))).is_some());
    }
}
