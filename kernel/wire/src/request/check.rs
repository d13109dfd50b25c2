//! Checks of the fields of a request. The first field that cannot be used is reported by
//! name, so that the caller learns which one it is.

use super::options::{invalid_option, is_number};
use super::{ChatRequest, InvalidField};
use crate::{DraftMark, Upstream};
use sash_chat::{AnswerId, is_tool_name};
use serde::Deserialize;
use serde::de::value::MapDeserializer;
use serde_json::Value;
use std::iter::once;

/// The most tools of a request; OpenAI's limit.
const MAX_TOOLS: usize = 128;

/// Why a field of a request cannot be used. `None` for one that can be, and for one that Sash does
/// not know and that cannot change the answer. The value is not `null`, which counts as absent.
pub fn check_field(field: &str, value: &Value) -> Option<InvalidField> {
    let unless = |fits: bool, must: &str| (!fits).then(|| InvalidField::new(field, must));
    match field {
        // Reported as missing by [`ChatRequest::check`].
        "model" | "prompt" => None,
        "context" => check_context(value),
        "system" => unless(value.is_string(), "it must be text"),
        "options" => check_options(value),
        "think" => unless(
            value.is_boolean() || value.is_string(),
            "it must be true, false or a level",
        ),
        "images" => check_images(field, value),
        "format" => unless(
            matches!(value.as_str(), Some("json" | "")) || value.is_object(),
            "it must be \"json\" or a JSON schema",
        ),
        "tools" => check_tools(value),
        "keep_alive" => unless(
            value.is_number() || value.is_string(),
            "it must be seconds or a duration such as \"10m\"",
        ),
        "upstream" => unless(
            Upstream::deserialize(value).is_ok(),
            "it must be \"ollama\" or \"demo\"",
        ),
        "draft" => unless(DraftMark::deserialize(value).is_ok(), DraftMark::MUST),
        "engine" => unless(value.is_string(), "it must be the name of an engine"),
        "answer_id" => unless(
            value
                .as_str()
                .is_some_and(|id| id.parse::<AnswerId>().is_ok()),
            "it must be 32 hexadecimal digits",
        ),
        "continue_final_message" => unless(value.is_boolean(), "it must be true or false"),
        _ => match refusal(field) {
            Some((changes, reason)) => unless(!changes(value), reason),
            None => check_type(field, value),
        },
    }
}

/// Whether the value of a field has the type that it has in [`ChatRequest`]. The value is copied for that, so a
/// field that may be large has a check of its own.
fn check_type(field: &str, value: &Value) -> Option<InvalidField> {
    let fields: MapDeserializer<_, serde_json::Error> = MapDeserializer::new(once((field, value)));
    let wrong = ChatRequest::deserialize(fields).err()?;
    Some(InvalidField::new(field, &wrong.to_string()))
}

fn check_options(value: &Value) -> Option<InvalidField> {
    let Value::Object(options) = value else {
        return Some(InvalidField::new("options", "it must be an object"));
    };
    invalid_option(options).map(|(field, must)| InvalidField::new(&field, must))
}

/// A tool that is left out, or has another name than the model is told, would change the answer.
fn check_tools(value: &Value) -> Option<InvalidField> {
    let Value::Array(tools) = value else {
        return Some(InvalidField::new("tools", "it must be a list of functions"));
    };
    if tools.len() > MAX_TOOLS {
        return Some(InvalidField::new("tools", "at most 128 tools can be sent"));
    }
    tools.iter().enumerate().find_map(|(at, tool)| {
        let must = check_tool(tool).err()?;
        Some(InvalidField::new(&format!("tools[{at}]"), must))
    })
}

/// If a wrong image were dropped, the model would answer without it unnoticed.
fn check_images(field: &str, value: &Value) -> Option<InvalidField> {
    let Value::Array(images) = value else {
        let must = "it must be a list of images in base64";
        return Some(InvalidField::new(field, must));
    };
    let wrong = images
        .iter()
        .position(|image| !image.as_str().is_some_and(is_base64))?;
    let must = "it must be plain base64, without “data:” before it";
    Some(InvalidField::new(&format!("{field}[{wrong}]"), must))
}

/// Only the images of messages can be wrong: what else is wrong gets its default.
fn check_context(value: &Value) -> Option<InvalidField> {
    let mut messages = value.as_array()?.iter().enumerate();
    messages.find_map(|(at, message)| {
        let images = message.get("images").filter(|images| !images.is_null())?;
        check_images(&format!("context[{at}].images"), images)
    })
}

/// The rejected values of an unsupported field, and the reason.
type Refusal = (fn(&Value) -> bool, &'static str);

/// The unsupported fields that would change the answer. Any other unknown field cannot change it
/// and is ignored.
fn refusal(field: &str) -> Option<Refusal> {
    Some(match field {
        "tool_choice" => (
            |value| is_set(value) && value != "auto",
            "Sash leaves it to the model",
        ),
        // Whoever sends one, even an empty list, takes this for another API.
        "functions" => (|_| true, "Sash has 'tools'"),
        "messages" => (
            |_| true,
            "what was said before goes into 'context', the question into 'prompt'",
        ),
        "stream" => (|value| *value == Value::Bool(false), "Sash always streams"),
        "truncate" => (is_set, "Sash never truncates"),
        "shift" => (is_set, "Sash ends an answer where the context is full"),
        "suffix" | "template" | "raw" => (is_set, "Sash leaves the template to the model"),
        "logprobs" | "top_logprobs" => (is_set, "Sash passes on the text alone"),
        "response_format" => (is_set, "Sash has 'format'"),
        "max_tokens" | "max_completion_tokens" => (is_set, "Sash has 'options.num_predict'"),
        "stop" | "use_mmap" => (is_set, "it belongs into 'options'"),
        option if is_number(option) => (|value| !value.is_null(), "it belongs into 'options'"),
        _ => return None,
    })
}

/// Whether a value requests anything.
fn is_set(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Bool(true) => true,
    }
}

/// Checks the definition of a tool.
fn check_tool(tool: &Value) -> Result<(), &'static str> {
    let function = tool
        .get("function")
        .filter(|function| function.is_object() && tool["type"] == "function")
        .ok_or("it must have the type \"function\" and a 'function'")?;
    let name = function.get("name").and_then(Value::as_str);
    if !name.is_some_and(is_tool_name) {
        return Err("its name must have 1 to 64 letters, digits, '_' or '-'");
    }
    let fits = |key: &str, is: fn(&Value) -> bool| function.get(key).is_none_or(is);
    match () {
        () if !fits("description", Value::is_string) => Err("its description must be text"),
        () if !fits("parameters", Value::is_object) => Err("its parameters must be a JSON schema"),
        () => Ok(()),
    }
}

/// Whether Ollama can decode the text as base64: standard alphabet with padding; line breaks are
/// skipped.
fn is_base64(text: &str) -> bool {
    let (mut signs, mut padding) = (0_usize, 0_usize);
    for byte in text.bytes().filter(|b| !matches!(b, b'\r' | b'\n')) {
        signs += 1;
        match byte {
            b'=' => padding += 1,
            b'+' | b'/' if padding == 0 => {}
            _ if byte.is_ascii_alphanumeric() && padding == 0 => {}
            _ => return false,
        }
    }
    signs % 4 == 0 && padding <= 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fault;
    use serde_json::json;

    /// The field and reason with which a request is rejected when it has these additional fields.
    fn refused(besides: Value) -> Option<(String, String)> {
        let mut body = json!({"model":"m","prompt":"p"});
        let (body_fields, besides) = (body.as_object_mut().unwrap(), besides);
        body_fields.extend(besides.as_object().unwrap().clone());
        let request: ChatRequest = serde_json::from_value(body).unwrap();
        match request.check() {
            Ok(()) => None,
            Err(Fault::InvalidField { field, reason }) => Some((field, reason)),
            Err(other) => panic!("{other}"),
        }
    }

    #[track_caller]
    fn names(besides: Value, field: &str) {
        let (named, _) = refused(besides.clone()).unwrap_or_else(|| panic!("{besides} passed"));
        assert_eq!(named, field, "{besides}");
    }

    #[test]
    fn a_value_that_cannot_be_used_is_refused_with_its_name() {
        for (besides, field) in [
            (json!({"options":"x"}), "options"),
            (json!({"options":[1]}), "options"),
            (json!({"options":{"num_ctx":"8192"}}), "options.num_ctx"),
            (
                json!({"options":{"temperature":true}}),
                "options.temperature",
            ),
            (json!({"options":{"top_k":[1]}}), "options.top_k"),
            (json!({"options":{"use_mmap":1}}), "options.use_mmap"),
            (json!({"options":{"stop":"x"}}), "options.stop"),
            (json!({"options":{"stop":["x",1]}}), "options.stop"),
            (json!({"options":{"seed":1,"top_p":{}}}), "options.top_p"),
            (json!({"draft":""}), "draft"),
            (json!({"draft":{"allowed":null}}), "draft"),
            (json!({"format":"xml"}), "format"),
            (json!({"format":1}), "format"),
            (json!({"format":[]}), "format"),
            (json!({"format":true}), "format"),
            (json!({"images":"aGk="}), "images"),
            (json!({"images":{"0":"aGk="}}), "images"),
            (
                json!({"images":["aGk=","data:image/png;base64,aGk="]}),
                "images[1]",
            ),
            (json!({"images":[7]}), "images[0]"),
            (json!({"images":["aGk"]}), "images[0]"),
            (json!({"images":["a-_="]}), "images[0]"),
            (json!({"images":["aG k="]}), "images[0]"),
            (json!({"images":["a==="]}), "images[0]"),
            (json!({"images":["a=Gk"]}), "images[0]"),
            (
                json!({"context":[1,{"content":"a","images":["é"]}]}),
                "context[1].images[0]",
            ),
            (json!({"context":[{"images":"x"}]}), "context[0].images"),
            (json!({"tools":{"name":"f"}}), "tools"),
            (json!({"tools":["f"]}), "tools[0]"),
            (json!({"tools":[{"type":"function"}]}), "tools[0]"),
            (json!({"tools":[{"function":{"name":"f"}}]}), "tools[0]"),
            (
                json!({"tools":[{"type":"function","function":{"name":"f"}},{"type":"function","function":{"name":"get weather"}}]}),
                "tools[1]",
            ),
            (
                json!({"tools":[{"type":"function","function":{"name":"f","parameters":[]}}]}),
                "tools[0]",
            ),
            (
                json!({"tools":[{"type":"function","function":{"name":"f","description":1}}]}),
                "tools[0]",
            ),
            (
                json!({"tools":vec![json!({"type":"function","function":{"name":"f"}}); 129]}),
                "tools",
            ),
            (json!({"think":3}), "think"),
            (json!({"think":[]}), "think"),
            (json!({"keep_alive":true}), "keep_alive"),
            (json!({"keep_alive":{}}), "keep_alive"),
            (json!({"system":1}), "system"),
            (json!({"system":["s"]}), "system"),
            (json!({"upstream":"https://evil.example"}), "upstream"),
            (json!({"upstream":1}), "upstream"),
            (json!({"engine":["box"]}), "engine"),
            (json!({"answer_id":1}), "answer_id"),
            (json!({"answer_id":"0123456789abcdef"}), "answer_id"),
            (
                json!({"answer_id":"0123456789ABCDEF0123456789ABCDEF"}),
                "answer_id",
            ),
        ] {
            names(besides, field);
        }
    }

    #[test]
    fn a_field_without_a_rule_of_its_own_is_refused_by_its_type() {
        for (value, fits) in [
            (json!("box"), true),
            (json!(1), false),
            (json!(["box"]), false),
        ] {
            let wrong = check_type("engine", &value);
            assert_eq!(wrong.is_none(), fits, "{value}");
            assert!(wrong.is_none_or(|wrong| wrong.field == "engine"));
        }
        assert_eq!(check_type("unknown", &json!(1)), None);
    }

    #[test]
    fn of_several_fields_that_cannot_be_used_the_first_is_named() {
        names(json!({"think":3,"stream":false,"system":1}), "think");
        names(json!({"stream":false,"think":3}), "stream");
    }

    #[test]
    fn what_would_change_the_answer_and_is_not_taken_is_refused_with_its_name() {
        for (besides, field) in [
            (json!({"tool_choice":"required"}), "tool_choice"),
            (json!({"functions":[{"name":"f"}]}), "functions"),
            (json!({"functions":[]}), "functions"),
            (json!({"functions":{}}), "functions"),
            (json!({"messages":[]}), "messages"),
            (json!({"messages":""}), "messages"),
            (json!({"stream":false}), "stream"),
            (
                json!({"messages":[{"role":"user","content":"x"}]}),
                "messages",
            ),
            (json!({"truncate":true}), "truncate"),
            (json!({"shift":true}), "shift"),
            (json!({"template":"{{ .Prompt }}"}), "template"),
            (json!({"suffix":"x"}), "suffix"),
            (json!({"raw":true}), "raw"),
            (json!({"logprobs":true}), "logprobs"),
            (json!({"top_logprobs":3}), "top_logprobs"),
            (json!({"temperature":0}), "temperature"),
            (json!({"num_ctx":8192}), "num_ctx"),
            (json!({"stop":["x"]}), "stop"),
            (json!({"max_tokens":5}), "max_tokens"),
            (
                json!({"response_format":{"type":"json_object"}}),
                "response_format",
            ),
        ] {
            names(besides, field);
        }
        let (_, reason) = refused(json!({"temperature":0.5})).unwrap();
        assert!(reason.contains("'options'"), "{reason}");
    }

    #[test]
    fn what_cannot_change_the_answer_is_ignored() {
        for besides in [
            json!({"stream":true,"truncate":false,"shift":false,"raw":false,"logprobs":false,"top_logprobs":0}),
            json!({"tools":[],"tool_choice":"auto","functions":null,"messages":null,"template":"","suffix":null,"temperature":null}),
            json!({"id":"x","created":5,"user":"u","metadata":{"a":1},"unknown":true,"options ":1}),
            json!({"options":null,"format":null,"images":null,"think":null,"keep_alive":null,"system":null,"upstream":null}),
            json!({"options":{},"format":"","images":[],"context":null}),
        ] {
            assert_eq!(refused(besides.clone()), None, "{besides}");
        }
    }

    #[test]
    fn what_can_be_used_passes_as_it_is() {
        let besides = json!({
            "options":{"num_ctx":8192,"temperature":0,"stop":["\n"],"use_mmap":true,"seed":null,"of_the_future":"x"},
            "format":{"type":"object"},"think":"low","keep_alive":-1,"system":"",
            "images":["aGk=","aGkh","","aGkh\r\naGk=\n"],"upstream":"demo",
        });
        assert_eq!(refused(besides.clone()), None);
        let mut body = besides.clone();
        let fields = body.as_object_mut().unwrap();
        fields.insert("model".into(), json!("m"));
        fields.insert("prompt".into(), json!("p"));
        fields.insert("context".into(), json!([]));
        let request: ChatRequest = serde_json::from_value(body.clone()).unwrap();
        assert_eq!(serde_json::to_value(request).unwrap(), body);
    }

    #[test]
    fn a_missing_prompt_is_said_first_and_of_doubled_fields_the_last_counts() {
        let read = |text: &str| serde_json::from_str::<ChatRequest>(text).unwrap();
        let fault = read(r#"{"model":"m","stream":false}"#).check().unwrap_err();
        assert_eq!(fault.code(), "missing_field");
        let last = read(r#"{"model":"a","prompt":"p","format":"xml","model":"b","format":"json"}"#);
        assert_eq!((last.check(), last.model.as_str()), (Ok(()), "b"));
    }
}
