//! Ollama's options: what each must be, and whole numbers written as such.

use serde_json::{Map, Value};

/// Ollama's options, grouped by their type. Options that later versions of Ollama add are not
/// listed; Ollama checks them itself.
const NUMBERS: [&str; 7] = [
    "top_p",
    "min_p",
    "typical_p",
    "temperature",
    "repeat_penalty",
    "presence_penalty",
    "frequency_penalty",
];

/// The options that are whole numbers.
const WHOLE_NUMBERS: [&str; 11] = [
    "num_keep",
    "seed",
    "num_predict",
    "top_k",
    "repeat_last_n",
    "num_ctx",
    "num_batch",
    "num_gpu",
    "main_gpu",
    "num_thread",
    "draft_num_predict",
];

/// The largest context length: the engines read it as a 32-bit number.
const MAX_CONTEXT: i64 = i32::MAX as i64;

/// The whole number that a JSON number is, however it is written: `100`, `100.0`, `1e2`.
fn whole(value: &Value) -> Option<i64> {
    // A larger float may have lost digits.
    const LARGEST: f64 = 9_007_199_254_740_992.0;
    let written_as_float = || {
        let number = value.as_f64()?;
        let is_whole = number.fract() == 0.0 && number.abs() <= LARGEST;
        is_whole.then_some(number as i64)
    };
    value.as_i64().or_else(written_as_float)
}

/// Writes whole numbers as such: Ollama reads `100.0` as 100, and other engines refuse it.
pub(super) fn write_whole_numbers(options: &mut Map<String, Value>) {
    for (name, value) in options.iter_mut() {
        if WHOLE_NUMBERS.contains(&name.as_str())
            && let Some(number) = whole(value)
        {
            *value = number.into();
        }
    }
}

/// The first option that cannot be used: its field in a request, and what its value must be.
#[must_use]
pub fn invalid_option(options: &Map<String, Value>) -> Option<(String, &'static str)> {
    let mut set = options.iter().filter(|(_, value)| !value.is_null());
    set.find_map(|(name, value)| Some((format!("options.{name}"), check_option(name, value)?)))
}

/// What the value of an option must be, if it has the wrong type.
pub(crate) fn check_option(name: &str, value: &Value) -> Option<&'static str> {
    let is_text_list = |value: &Value| {
        let items = value.as_array();
        items.is_some_and(|items| items.iter().all(Value::is_string))
    };
    let (fits, must) = match name {
        "use_mmap" => (value.is_boolean(), "it must be true or false"),
        "stop" => (is_text_list(value), "it must be a list of texts"),
        "num_ctx" => (
            whole(value).is_some_and(|tokens| (1..=MAX_CONTEXT).contains(&tokens)),
            "it must be a whole number from 1 to 2147483647",
        ),
        number if NUMBERS.contains(&number) => (value.is_number(), "it must be a number"),
        number if WHOLE_NUMBERS.contains(&number) => {
            (whole(value).is_some(), "it must be a whole number")
        }
        _ => return None,
    };
    (!fits).then_some(must)
}

/// Whether an option is a number.
pub(super) fn is_number(name: &str) -> bool {
    NUMBERS.contains(&name) || WHOLE_NUMBERS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ChatRequest, Fault};
    use serde_json::json;

    #[test]
    fn a_context_length_is_one_that_an_engine_can_read() {
        for (tokens, fits) in [
            (json!(1), true),
            (json!(8192.0), true),
            (json!(i32::MAX), true),
            (json!(0), false),
            (json!(-5), false),
            (json!(1e12), false),
            (json!("8192"), false),
        ] {
            assert_eq!(check_option("num_ctx", &tokens).is_none(), fits, "{tokens}");
        }
    }

    #[test]
    fn a_whole_number_is_one_however_it_is_written() {
        for (written, read) in [
            ("100", Some(100)),
            ("100.0", Some(100)),
            ("1e2", Some(100)),
            ("-1.0", Some(-1)),
            ("-0.0", Some(0)),
            ("9223372036854775807", Some(i64::MAX)),
            ("9007199254740992.0", Some(1 << 53)),
            ("1e16", None),
            ("9223372036854775808", None),
            ("1e300", None),
            ("-1e300", None),
            ("1.5", None),
            ("\"100\"", None),
            ("true", None),
            ("[1]", None),
        ] {
            for name in WHOLE_NUMBERS.into_iter().filter(|name| *name != "num_ctx") {
                let body =
                    format!(r#"{{"model":"m","prompt":"p","options":{{"{name}":{written}}}}}"#);
                let request: ChatRequest = serde_json::from_str(&body).unwrap();
                match read {
                    Some(number) => {
                        assert_eq!(request.check(), Ok(()), "{body}");
                        let options = Value::Object(request.options.unwrap_or_default());
                        assert_eq!(options, json!({ name: number }), "{body}");
                    }
                    None => assert_eq!(
                        request.check(),
                        Err(Fault::InvalidField {
                            field: format!("options.{name}"),
                            reason: "it must be a whole number".to_owned(),
                        }),
                        "{body}"
                    ),
                }
            }
        }
    }
}
