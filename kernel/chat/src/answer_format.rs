//! The form that an answer must have.

use sash_words::t;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The form that an answer must have, as Ollama's field `format` has it: `"json"`, or a JSON schema.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub enum AnswerFormat {
    /// Any JSON value.
    Json,
    /// A JSON value that fits this schema. The order of its fields is the person's.
    Schema(Map<String, Value>),
}

impl TryFrom<Value> for AnswerFormat {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        match value {
            Value::String(name) if name == "json" => Ok(Self::Json),
            Value::Object(schema) => Ok(Self::Schema(schema)),
            _ => Err(t!(chat.format_invalid)),
        }
    }
}

impl From<AnswerFormat> for Value {
    fn from(format: AnswerFormat) -> Self {
        match format {
            AnswerFormat::Json => Self::String("json".to_owned()),
            AnswerFormat::Schema(schema) => Self::Object(schema),
        }
    }
}

impl AnswerFormat {
    /// Its name in a few words.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Json => "JSON",
            Self::Schema(_) => t!(common.json_with_schema),
        }
    }
}

/// Reads a JSON schema that a person wrote. Only its outer form is checked: the engine refuses what it
/// cannot hold a model to, and says why.
///
/// # Errors
/// A sentence that says where the text is no JSON object.
pub fn parse_schema(text: &str) -> Result<Map<String, Value>, String> {
    serde_json::from_str(text).map_err(|error| t!(chat.schema_not_object, error = &error))
}

/// Where an answer is not in the form that was asked for, a line each; `None` if nothing was asked for, or
/// the answer has no text.
///
/// Only whether the JSON is complete is checked. The engine's grammar holds the model to the schema, but
/// an answer may end early.
#[must_use]
pub fn misfits(format: Option<&AnswerFormat>, answer: &str) -> Option<Vec<String>> {
    if format.is_none() || answer.is_empty() {
        return None;
    }
    let read = serde_json::from_str::<IgnoredAny>(answer);
    let error = read.err();
    Some(
        error
            .map(|error| t!(chat.answer_json_incomplete, error = &error))
            .into_iter()
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_format_is_written_as_ollama_reads_it() {
        let schema = r#"{"type":"object","properties":{"z":{},"a":{}}}"#;
        for text in [r#""json""#, schema, "{}"] {
            let format: AnswerFormat = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&format).unwrap(), text);
        }
    }

    #[test]
    fn what_is_no_format_is_refused() {
        for value in [json!("xml"), json!(1), json!([]), json!(true), json!(null)] {
            assert!(AnswerFormat::try_from(value).is_err());
        }
    }

    #[test]
    fn only_an_object_is_a_schema() {
        let schema = r#"{"type":"object","properties":{"z":{},"a":{}}}"#;
        let read = parse_schema(schema).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), schema);
        for text in ["not json", "[1]", "\"json\"", "{", ""] {
            let refused = parse_schema(text).unwrap_err();
            assert!(
                refused.starts_with("This is not a JSON object: "),
                "{refused}"
            );
        }
    }

    #[test]
    fn half_an_answer_is_said_to_be_incomplete() {
        let schema = AnswerFormat::Schema(Map::new());
        let of = |answer: &str| misfits(Some(&schema), answer);
        assert_eq!(of(r#"{"a":1.10}"#), Some(Vec::new()));
        assert_eq!(misfits(Some(&AnswerFormat::Json), "[]"), Some(Vec::new()));
        assert_eq!(of(""), None);
        assert_eq!(misfits(None, "{"), None);
        for half in [r#"{"a":1,"#, r#"{"a":"b"#, "{} and more"] {
            let lines = of(half).unwrap();
            assert!(
                lines[0].starts_with("It is not complete JSON: "),
                "{lines:?}"
            );
        }
        // Hostile depth costs no stack.
        assert_eq!(of(&"[".repeat(500_000)).unwrap().len(), 1);
        let deep = "[".repeat(500_000) + &"]".repeat(500_000);
        assert_eq!(of(&deep), Some(Vec::new()));
    }
}
