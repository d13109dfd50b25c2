//! A tool that a person described. Its calls are answered by hand.

use super::BuiltinTool;
use sash_words::t;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The longest name of a tool, in bytes; OpenAI's limit.
const MAX_NAME: usize = 64;

/// A tool that a person described.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "OwnToolFields")]
pub struct OwnTool {
    /// The name by which the model calls it ([`is_tool_name`]).
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// The JSON schema of its arguments; `None` where it takes none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Map<String, Value>>,
}

/// The same fields, as they are read before the name is checked.
#[derive(Deserialize)]
struct OwnToolFields {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    parameters: Option<Map<String, Value>>,
}

impl TryFrom<OwnToolFields> for OwnTool {
    type Error = &'static str;

    fn try_from(fields: OwnToolFields) -> Result<Self, Self::Error> {
        if !is_tool_name(&fields.name) || BuiltinTool::named(&fields.name).is_some() {
            return Err(t!(chat.tool_name_invalid));
        }
        Ok(Self {
            name: fields.name,
            description: fields.description,
            parameters: fields.parameters,
        })
    }
}

impl OwnTool {
    pub(super) fn parameters(&self) -> Value {
        match &self.parameters {
            Some(schema) => Value::Object(schema.clone()),
            None => json!({"type": "object", "properties": {}}),
        }
    }
}

/// Whether a text can be a tool's name: 1 to 64 letters of ASCII, digits, `_` and `-`, as OpenAI's API has it;
/// Ollama takes any.
#[must_use]
pub fn is_tool_name(name: &str) -> bool {
    let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_letters_digits_and_two_signs() {
        for name in ["a", "get_weather", "Stock-2", &"x".repeat(64)] {
            assert!(is_tool_name(name), "{name}");
        }
        for name in ["", "get weather", "é", "a.b", &"x".repeat(65)] {
            assert!(!is_tool_name(name), "{name}");
        }
    }

    #[test]
    fn a_tool_without_a_usable_name_is_none() {
        for text in [
            r#"{"name":"a b"}"#,
            r#"{"name":"calculate"}"#,
            r#"{"description":"x"}"#,
            "{}",
        ] {
            assert!(serde_json::from_str::<OwnTool>(text).is_err(), "{text}");
        }
    }
}
