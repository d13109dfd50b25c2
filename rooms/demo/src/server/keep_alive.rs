//! The time for which a request wants the model to stay loaded.

use serde_json::Value;
use std::time::Duration;

/// The longest time that the model stays loaded, as Ollama's.
pub const MAX: Duration = Duration::from_secs(9_223_372_036);

/// The time that `keep_alive` says: seconds, or numbers with units. A negative one is for ever. `None` if it is neither.
pub fn read(keep_alive: &Value) -> Option<Duration> {
    let seconds = match keep_alive {
        Value::String(text) => seconds(text)?,
        number => number.as_f64()?,
    };
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(MAX);
    Some(time.min(MAX))
}

/// Reads a duration such as `1h30m`.
fn seconds(text: &str) -> Option<f64> {
    let is_negative = text.starts_with('-');
    let (mut rest, mut sum) = (text.trim_start_matches(['-', '+']), 0.0);
    match rest {
        "0" => return Some(0.0),
        "" => return None,
        _ => {}
    }
    while !rest.is_empty() {
        let is_digit = |c: char| c.is_ascii_digit() || c == '.';
        let (number, tail) = rest.split_at(rest.find(|c: char| !is_digit(c))?);
        let (unit, tail) = tail.split_at(tail.find(is_digit).unwrap_or(tail.len()));
        let unit = match unit {
            "ns" => 1e-9,
            "us" | "µs" => 1e-6,
            "ms" => 1e-3,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return None,
        };
        sum += number.parse::<f64>().ok()? * unit;
        rest = tail;
    }
    Some(if is_negative { -sum } else { sum })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_time_to_stay_is_seconds_or_numbers_with_units() {
        let minutes = |minutes: u64| Some(Duration::from_secs(minutes * 60));
        for (keep_alive, time) in [
            (json!(0), minutes(0)),
            (json!("0"), minutes(0)),
            (json!(600), minutes(10)),
            (json!("10m"), minutes(10)),
            (json!("1h30m"), minutes(90)),
            (json!("500ms"), Some(Duration::from_millis(500))),
            (json!(-1), Some(MAX)),
            (json!("-1m"), Some(MAX)),
            (json!("999999999h"), Some(MAX)),
            (json!(""), None),
            (json!("ten"), None),
            (json!("10"), None),
            (json!(true), None),
        ] {
            assert_eq!(read(&keep_alive), time, "{keep_alive}");
        }
    }
}
