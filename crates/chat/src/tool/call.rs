//! A model's call of a tool, in Ollama's form.

use crate::Message;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// A call of a tool.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The engine's id of the call, which its result names. Not every engine gives one.
    #[serde(default, deserialize_with = "text")]
    pub id: Option<String>,
    /// What is called.
    pub function: ToolFunction,
}

/// The name and the arguments of a call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolFunction {
    /// The tool's name.
    pub name: String,
    /// The arguments by name, in the model's order.
    #[serde(default, deserialize_with = "arguments")]
    pub arguments: Map<String, Value>,
}

fn text<'de, D: Deserializer<'de>>(source: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(source)? {
        Value::String(text) if !text.is_empty() => Some(text),
        _ => None,
    })
}

/// OpenAI's API has the arguments as a text that holds JSON; what is no object counts as no arguments.
fn arguments<'de, D: Deserializer<'de>>(source: D) -> Result<Map<String, Value>, D::Error> {
    Ok(match Value::deserialize(source)? {
        Value::Object(arguments) => arguments,
        Value::String(text) => serde_json::from_str(&text).unwrap_or_default(),
        _ => Map::new(),
    })
}

impl ToolCall {
    /// The calls in an array in Ollama's or OpenAI's form; an item that is none is left out.
    #[must_use]
    pub fn list(calls: &Value) -> Vec<Self> {
        let items = calls.as_array().into_iter().flatten();
        items
            .filter_map(|item| Self::deserialize(item).ok())
            .collect()
    }

    /// The arguments as JSON text, a field a line.
    #[must_use]
    pub fn arguments_text(&self) -> String {
        serde_json::to_string_pretty(&self.function.arguments).unwrap_or_default()
    }
}

impl Message {
    /// The tool calls of an answer.
    #[must_use]
    pub fn calls(&self) -> Vec<ToolCall> {
        let calls = self.tool_calls.as_ref();
        calls.map(ToolCall::list).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn both_forms_of_a_call_are_read_and_ollamas_is_written() {
        let calls = ToolCall::list(&json!([
            {"id":"call_abc","function":{"index":0,"name":"get_weather","arguments":{"city":"Paris","a":1}}},
            {"id":"c2","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Rome\"}"}},
            {"function":{"name":"now"}},
            {"id":7,"function":{"name":"now","arguments":[1]}},
            {"function":{"arguments":{}}}, "x",
        ]));
        assert_eq!(
            serde_json::to_string(&calls).unwrap(),
            r#"[{"id":"call_abc","function":{"name":"get_weather","arguments":{"city":"Paris","a":1}}},{"id":"c2","function":{"name":"get_weather","arguments":{"city":"Rome"}}},{"function":{"name":"now","arguments":{}}},{"function":{"name":"now","arguments":{}}}]"#
        );
        assert_eq!(ToolCall::list(&json!({})), []);
        assert_eq!(
            calls[0].arguments_text(),
            "{\n  \"city\": \"Paris\",\n  \"a\": 1\n}"
        );
    }
}
