//! The form that an answer must have.

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

/// The error for a value that is no format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoAnswerFormat;

impl std::fmt::Display for NoAnswerFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("it must be \"json\" or a JSON schema, which is an object")
    }
}

impl std::error::Error for NoAnswerFormat {}

impl TryFrom<Value> for AnswerFormat {
    type Error = NoAnswerFormat;

    fn try_from(value: Value) -> Result<Self, NoAnswerFormat> {
        match value {
            Value::String(name) if name == "json" => Ok(Self::Json),
            Value::Object(schema) => Ok(Self::Schema(schema)),
            _ => Err(NoAnswerFormat),
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
            Self::Schema(_) => "JSON that fits a schema",
        }
    }
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
            assert_eq!(AnswerFormat::try_from(value), Err(NoAnswerFormat));
        }
    }
}
