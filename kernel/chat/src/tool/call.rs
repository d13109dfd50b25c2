//! A model's call of a tool, in Ollama's form.

use crate::Message;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// The most calls of tools in one answer. Each costs a record, a row of the transcript and a turn, and a model that
/// calls more than this at once repeats itself.
pub const MAX_CALLS: usize = 32;

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

    /// The first calls of an array, as [`Self::list`] reads them, and how many items are left out: no more than `most`
    /// calls are read.
    #[must_use]
    pub fn list_at_most(calls: &Value, most: usize) -> (Vec<Self>, usize) {
        let items = calls.as_array().map(Vec::as_slice).unwrap_or_default();
        let mut read = Vec::new();
        for (at, item) in items.iter().enumerate() {
            if read.len() == most {
                return (read, items.len() - at);
            }
            read.extend(Self::deserialize(item).ok());
        }
        (read, 0)
    }

    /// The arguments as JSON text, a field a line.
    #[must_use]
    pub fn arguments_text(&self) -> String {
        serde_json::to_string_pretty(&self.function.arguments).unwrap_or_default()
    }
}

impl ToolFunction {
    /// The name such that a person sees every character of it: a name of a tool has letters of ASCII, digits, “_” and
    /// “-” alone ([`super::is_tool_name`]), so a blank at its end or a letter of another script that looks the same is
    /// written as its code point.
    #[must_use]
    pub fn visible_name(&self) -> String {
        visible_name(&self.name)
    }
}

/// A tool's name as [`ToolFunction::visible_name`] shows it.
#[must_use]
pub fn visible_name(name: &str) -> String {
    name.chars().fold(String::new(), |mut shown, c| {
        match c.is_ascii_graphic() {
            true => shown.push(c),
            false => shown.extend(c.escape_unicode()),
        }
        shown
    })
}

impl Message {
    /// All tool calls of an answer.
    #[must_use]
    pub fn calls(&self) -> Vec<ToolCall> {
        let calls = self.tool_calls.as_ref();
        calls.map(ToolCall::list).unwrap_or_default()
    }

    /// The tool calls of an answer that are shown and answered, [`MAX_CALLS`] at most, and how many more the model made:
    /// an imported answer may have any number.
    #[must_use]
    pub fn first_calls(&self) -> (Vec<ToolCall>, usize) {
        let calls = self.tool_calls.as_ref();
        let (calls, over) = calls
            .map(|calls| ToolCall::list_at_most(calls, MAX_CALLS))
            .unwrap_or_default();
        (calls, over.saturating_add(self.calls_left_out as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_answer_has_a_bounded_number_of_calls_and_says_how_many_more_were_made() {
        let call = json!({"function": {"name": "f"}});
        let mut message = Message {
            tool_calls: Some(Value::Array(vec![call; 10_000])),
            ..Message::new(crate::Id(1), None, 1, crate::Role::Assistant, 0)
        };
        let (calls, over) = message.first_calls();
        assert_eq!((calls.len(), over), (MAX_CALLS, 10_000 - MAX_CALLS));
        message.calls_left_out = 5;
        assert_eq!(message.first_calls().1, 10_005 - MAX_CALLS);
        message.tool_calls = None;
        assert_eq!(message.first_calls(), (Vec::new(), 5));
    }

    #[test]
    fn a_name_that_only_looks_like_a_tools_is_seen() {
        for (name, shown) in [
            ("calculate", "calculate"),
            ("calculate ", "calculate\\u{20}"),
            ("c\u{430}lculate", "c\\u{430}lculate"),
            ("calc\u{200b}ulate", "calc\\u{200b}ulate"),
            ("\u{202e}etaluclac", "\\u{202e}etaluclac"),
            ("", ""),
        ] {
            assert_eq!(visible_name(name), shown);
        }
    }

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
