//! Ollama's parameters: those that the page offers by name, and how a person writes a value.

use crate::request::check_option;
use ParameterKind as Kind;
use sash_words::t;
use serde_json::{Number, Value};

/// A parameter that the page offers by name.
#[derive(Debug)]
pub struct Parameter {
    /// Its name in Ollama's `options`; `keep_alive` is a field of the request itself.
    pub name: &'static str,
    /// What it does, in a short sentence.
    pub note: fn() -> &'static str,
    /// Ollama's default in words; a model file may set another.
    pub default: fn() -> &'static str,
    kind: ParameterKind,
}

#[derive(Debug)]
enum ParameterKind {
    /// A number between two limits.
    Number(f64, f64),
    /// A whole number between two limits; never 0 if the last field is false.
    Integer(i64, i64, bool),
    /// Texts, one a line.
    Texts,
    /// A duration in Go's notation, or seconds.
    Duration,
}

/// The parameters in the order in which the page offers them. Names, defaults and types are those of Ollama's
/// `api/types.go`. `num_ctx` is not among them: another value reloads the model, so it belongs to the model and not to
/// a chat.
pub const PARAMETERS: [Parameter; 10] = [
    Parameter {
        name: "temperature",
        note: || t!(wire.about_temperature),
        default: || "0.8",
        kind: Kind::Number(0.0, 5.0),
    },
    Parameter {
        name: "top_k",
        note: || t!(wire.about_top_k),
        default: || "40",
        kind: Kind::Integer(0, 1_000_000, true),
    },
    Parameter {
        name: "top_p",
        note: || t!(wire.about_top_p),
        default: || "0.9",
        kind: Kind::Number(0.0, 1.0),
    },
    Parameter {
        name: "min_p",
        note: || t!(wire.about_min_p),
        default: || "0",
        kind: Kind::Number(0.0, 1.0),
    },
    Parameter {
        name: "repeat_penalty",
        note: || t!(wire.about_repeat_penalty),
        default: || "1",
        kind: Kind::Number(0.01, 10.0),
    },
    Parameter {
        name: "repeat_last_n",
        note: || t!(wire.about_repeat_last_n),
        default: || "64",
        kind: Kind::Integer(-1, 10_000_000, true),
    },
    Parameter {
        name: "seed",
        note: || t!(wire.about_seed),
        default: || t!(wire.default_random),
        kind: Kind::Integer(-1, i32::MAX as i64, true),
    },
    Parameter {
        name: "num_predict",
        note: || t!(wire.about_num_predict),
        default: || "-1",
        kind: Kind::Integer(-1, 10_000_000, false),
    },
    Parameter {
        name: "stop",
        note: || t!(wire.about_stop),
        default: || t!(wire.default_none),
        kind: Kind::Texts,
    },
    Parameter {
        name: KEEP_ALIVE,
        note: || t!(wire.about_keep_alive),
        default: || "5m",
        kind: Kind::Duration,
    },
];

/// The parameter that is a field of the request and no option.
pub const KEEP_ALIVE: &str = "keep_alive";

/// The parameter that reloads the model when its value changes.
pub const NUM_CTX: &str = "num_ctx";

/// The options of Ollama's runner: a request with another value makes Ollama reload the model. So a
/// person sets them for a model and not for a chat.
pub const RUNNER_OPTIONS: [&str; 7] = [
    NUM_CTX,
    "num_batch",
    "num_gpu",
    "main_gpu",
    "use_mmap",
    "num_thread",
    "draft_num_predict",
];

impl Parameter {
    /// Parses what a person wrote. `None` if the text is empty: the default.
    ///
    /// # Errors
    /// What is wrong, as a sentence.
    pub fn parse(&self, text: &str) -> Result<Option<Value>, String> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let value = match self.kind {
            Kind::Number(min, max) => {
                // A decimal comma too, which the keyboards of most languages offer first.
                let number = text.replace(',', ".").parse::<f64>().ok();
                let number = number.and_then(Number::from_f64);
                let fits = |n: &Number| n.as_f64().is_some_and(|n| (min..=max).contains(&n));
                number
                    .filter(fits)
                    .map(Value::Number)
                    .ok_or_else(|| t!(wire.value_not_number, min = &min, max = &max))?
            }
            Kind::Integer(min, max, may_be_zero) => {
                let number = text.parse::<i64>().ok().filter(|n| (min..=max).contains(n));
                if number == Some(0) && !may_be_zero {
                    return Err(t!(wire.zero_refused).to_owned());
                }
                number
                    .map(Value::from)
                    .ok_or_else(|| t!(wire.value_not_whole, min = &min, max = &max))?
            }
            Kind::Texts => Value::Array(
                text.lines()
                    .filter(|line| !line.is_empty())
                    .map(|line| Value::from(line.replace("\\n", "\n")))
                    .collect(),
            ),
            Kind::Duration => match text.parse::<i64>() {
                Ok(seconds) => Value::from(seconds),
                Err(_) if is_duration(text) => Value::from(text),
                Err(_) => return Err(t!(wire.value_not_duration).to_owned()),
            },
        };
        Ok(Some(value))
    }

    /// Whether its values are several lines.
    #[must_use]
    pub fn is_list(&self) -> bool {
        matches!(self.kind, Kind::Texts)
    }
}

/// A value as a person writes it.
#[must_use]
pub fn parameter_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            let texts = items.iter().filter_map(Value::as_str);
            let lines: Vec<_> = texts.map(|text| text.replace('\n', "\\n")).collect();
            lines.join("\n")
        }
        other => other.to_string(),
    }
}

/// Parses a parameter that the page does not offer by name, as JSON; what is no JSON is a text.
///
/// # Errors
/// What is wrong, as a sentence.
pub fn parse_other_parameter(name: &str, text: &str) -> Result<Value, String> {
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if name.is_empty() || !name.chars().all(is_name) {
        return Err(t!(wire.name_invalid).to_owned());
    }
    if name == NUM_CTX || PARAMETERS.iter().any(|known| known.name == name) {
        return Err(t!(wire.name_has_own_field, name = &name));
    }
    let text = text.trim();
    let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    if value.is_null() || value == "" {
        return Err(t!(wire.value_missing).to_owned());
    }
    match check_option(name, &value) {
        Some(must) => Err(t!(wire.value_for, name = &name, must = &must)),
        None => Ok(value),
    }
}

/// Whether a text is a duration in Go's notation: numbers with units, `1h30m`, after an optional sign.
fn is_duration(text: &str) -> bool {
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    let mut parts = 0;
    while !rest.is_empty() {
        let unit = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let number = &rest[..rest.len() - unit.len()];
        let units = ["ns", "us", "µs", "ms", "s", "m", "h"];
        let known = units.iter().filter_map(|name| unit.strip_prefix(name));
        // "ms" before "m": the shortest rest is that of the longest unit.
        let Some(next) = known.min_by_key(|rest| rest.len()) else {
            return false;
        };
        if number.parse::<f64>().is_err() {
            return false;
        }
        parts += 1;
        rest = next;
    }
    parts > 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parse(name: &str, text: &str) -> Result<Option<Value>, String> {
        let parameter = PARAMETERS.iter().find(|known| known.name == name).unwrap();
        parameter.parse(text)
    }

    #[test]
    fn what_a_person_writes_is_what_ollama_reads() {
        for (name, text, value) in [
            ("temperature", " 0.7 ", json!(0.7)),
            ("temperature", "0,7", json!(0.7)),
            ("temperature", "0", json!(0.0)),
            ("top_k", "0", json!(0)),
            ("top_p", "1", json!(1.0)),
            ("seed", "-1", json!(-1)),
            ("num_predict", "-1", json!(-1)),
            ("num_predict", "128", json!(128)),
            ("stop", "END\n\n\\n\\nUser:", json!(["END", "\n\nUser:"])),
            ("keep_alive", "600", json!(600)),
            ("keep_alive", "-1", json!(-1)),
            ("keep_alive", "1h30m", json!("1h30m")),
            ("keep_alive", "1.5h", json!("1.5h")),
        ] {
            assert_eq!(parse(name, text), Ok(Some(value)), "{name} {text}");
        }
    }

    #[test]
    fn an_empty_field_is_the_default() {
        for parameter in &PARAMETERS {
            assert_eq!(parameter.parse("  \n"), Ok(None), "{}", parameter.name);
        }
    }

    #[test]
    fn what_cannot_be_sent_is_refused_with_a_sentence() {
        for (name, text) in [
            ("temperature", "warm"),
            ("temperature", "-0.1"),
            ("temperature", "NaN"),
            ("temperature", "inf"),
            ("top_k", "1.5"),
            ("top_k", "-1"),
            ("top_p", "1.01"),
            ("min_p", "-1"),
            ("repeat_penalty", "0"),
            ("seed", "99999999999"),
            ("num_predict", "0"),
            ("num_predict", "-2"),
            ("keep_alive", "10 minutes"),
            ("keep_alive", "m"),
            ("keep_alive", "10mm"),
        ] {
            assert!(parse(name, text).is_err(), "{name} {text}");
        }
    }

    #[test]
    fn a_value_is_shown_as_it_is_written() {
        for (name, text) in [
            ("temperature", "0.7"),
            ("top_k", "40"),
            ("stop", "END\n\\nUser:"),
            ("keep_alive", "10m"),
        ] {
            let value = parse(name, text).unwrap().unwrap();
            assert_eq!(parameter_text(&value), text);
        }
    }

    #[test]
    fn any_other_parameter_goes_by_its_name() {
        for (name, text, value) in [
            ("mirostat", "2", json!(2)),
            ("typical_p", "0.5", json!(0.5)),
            ("use_mmap", "true", json!(true)),
            ("of_the_future", "a text", json!("a text")),
        ] {
            assert_eq!(parse_other_parameter(name, text), Ok(value), "{name}");
        }
        for (name, text) in [
            ("", "1"),
            ("Top K", "1"),
            ("top_k", "1"),
            ("num_ctx", "1"),
            ("typical_p", "much"),
            ("num_batch", "1.5"),
            ("use_mmap", "1"),
            ("mirostat", ""),
            ("mirostat", "null"),
        ] {
            assert!(parse_other_parameter(name, text).is_err(), "{name} {text}");
        }
    }
}
