//! Parses a request: each field is taken out of the JSON object once, and the first field that
//! cannot be used is recorded by name, so that the caller learns which one it is.

use super::options::{check_option, is_number, write_whole_numbers};
use super::{ChatRequest, ContextMessage, InvalidField};
use crate::Upstream;
use sash_chat::{Role, is_tool_name};
use serde_json::{Map, Value};

/// The most tools of a request; OpenAI's limit.
const MAX_TOOLS: usize = 128;

impl From<Map<String, Value>> for ChatRequest {
    fn from(fields: Map<String, Value>) -> Self {
        let wrong = None;
        FieldReader { fields, wrong }.request()
    }
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
        "functions" => (is_set, "Sash has 'tools'"),
        "messages" => (
            is_set,
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

struct FieldReader {
    fields: Map<String, Value>,
    /// The first field that cannot be used.
    wrong: Option<InvalidField>,
}

impl FieldReader {
    fn request(mut self) -> ChatRequest {
        let refused = self.fields.iter().find_map(|(field, value)| {
            let (changes, reason) = refusal(field)?;
            changes(value).then(|| InvalidField::new(field, reason))
        });
        self.wrong = refused;
        ChatRequest {
            model: self.required("model"),
            prompt: self.required("prompt"),
            system: self.of("system", "it must be text", |value| match value {
                Value::String(text) => Some(text),
                _ => None,
            }),
            options: self.options(),
            think: self.of("think", "it must be true, false or a level", |value| {
                (value.is_boolean() || value.is_string()).then_some(value)
            }),
            images: self.images(),
            format: self.of("format", "it must be \"json\" or a JSON schema", |value| {
                let named = matches!(value.as_str(), Some("json" | ""));
                (named || value.is_object()).then_some(value)
            }),
            tools: self.tools(),
            keep_alive: self.of(
                "keep_alive",
                "it must be seconds or a duration such as \"10m\"",
                |value| (value.is_number() || value.is_string()).then_some(value),
            ),
            upstream: self
                .of("upstream", "it must be \"ollama\" or \"demo\"", |value| {
                    serde_json::from_value::<Upstream>(value).ok()
                })
                .unwrap_or_default(),
            engine: self.of(
                "engine",
                "it must be the name of an engine",
                |value| match value {
                    Value::String(name) => Some(name),
                    _ => None,
                },
            ),
            continue_final_message: self
                .of(
                    "continue_final_message",
                    "it must be true or false",
                    |value| value.as_bool(),
                )
                .unwrap_or_default(),
            context: self.context(),
            wrong: self.wrong,
        }
        .without_idle_thinking()
    }

    /// Takes the value of a field; `null` counts as absent.
    fn take(&mut self, field: &str) -> Option<Value> {
        self.fields.remove(field).filter(|value| !value.is_null())
    }

    fn note_invalid(&mut self, field: &str, reason: &str) {
        self.wrong
            .get_or_insert_with(|| InvalidField::new(field, reason));
    }

    /// A text; if it is absent, `check` reports a missing field.
    fn required(&mut self, field: &str) -> String {
        match self.take(field) {
            Some(Value::String(text)) => text,
            _ => String::new(),
        }
    }

    fn of<T>(
        &mut self,
        field: &str,
        must: &str,
        read: impl FnOnce(Value) -> Option<T>,
    ) -> Option<T> {
        let found = read(self.take(field)?);
        if found.is_none() {
            self.note_invalid(field, must);
        }
        found
    }

    fn options(&mut self) -> Option<Map<String, Value>> {
        let mut options = self.of("options", "it must be an object", |value| match value {
            Value::Object(options) => Some(options),
            _ => None,
        })?;
        for (name, value) in options.iter().filter(|(_, value)| !value.is_null()) {
            if let Some(must) = check_option(name, value) {
                self.note_invalid(&format!("options.{name}"), must);
            }
        }
        write_whole_numbers(&mut options);
        Some(options)
    }

    fn images(&mut self) -> Vec<String> {
        let images = self.take("images");
        images.map_or_else(Vec::new, |images| self.image_list("images", images))
    }

    /// The tools. A tool that is left out, or has another name than the model is told, would change the answer.
    fn tools(&mut self) -> Vec<Value> {
        let Some(tools) = self.take("tools") else {
            return Vec::new();
        };
        let Value::Array(tools) = tools else {
            self.note_invalid("tools", "it must be a list of functions");
            return Vec::new();
        };
        if tools.len() > MAX_TOOLS {
            self.note_invalid("tools", "at most 128 tools can be sent");
        }
        for (at, tool) in tools.iter().enumerate() {
            if let Err(must) = check_tool(tool) {
                self.note_invalid(&format!("tools[{at}]"), must);
            }
        }
        tools
    }

    /// Images are checked here: if a wrong one were dropped, the model would answer without it
    /// unnoticed.
    fn image_list(&mut self, field: &str, images: Value) -> Vec<String> {
        let Value::Array(items) = images else {
            self.note_invalid(field, "it must be a list of images in base64");
            return Vec::new();
        };
        let mut read = Vec::with_capacity(items.len());
        for (at, item) in items.into_iter().enumerate() {
            match item {
                Value::String(image) if is_base64(&image) => read.push(image),
                _ => self.note_invalid(
                    &format!("{field}[{at}]"),
                    "it must be plain base64, without “data:” before it",
                ),
            }
        }
        read
    }

    /// Items that are not messages are dropped, and missing parts of a message get defaults, so
    /// that conversations in other clients' formats work.
    fn context(&mut self) -> Vec<ContextMessage> {
        let Some(Value::Array(items)) = self.take("context") else {
            return Vec::new();
        };
        let items = items.into_iter().enumerate();
        items
            .filter_map(|(at, item)| match item {
                Value::Object(message) => Some(self.message(at, message)),
                _ => None,
            })
            .collect()
    }

    fn message(&mut self, at: usize, mut message: Map<String, Value>) -> ContextMessage {
        let mut text = |key: &str| match message.remove(key) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        let role = text("role").map_or(Role::User, |role| Role::parse(&role));
        let content = text("content").unwrap_or_default();
        let tool_name = text("tool_name");
        let tool_call_id = text("tool_call_id");
        let thinking = text("thinking").filter(|thinking| !thinking.is_empty());
        let images = message.remove("images").filter(|images| !images.is_null());
        ContextMessage {
            role,
            content,
            images: images.map_or_else(Vec::new, |images| {
                self.image_list(&format!("context[{at}].images"), images)
            }),
            tool_calls: message.remove("tool_calls").filter(Value::is_array),
            tool_name,
            tool_call_id,
            thinking,
        }
    }
}

impl ChatRequest {
    /// Removes the thinking that is not sent again: only a model that goes on after a tool's result reads it.
    fn without_idle_thinking(mut self) -> Self {
        let since = self.context.iter().rposition(|m| m.role == Role::User);
        let kept = match self.continues() {
            true => since.map_or(0, |at| at + 1),
            false => self.context.len(),
        };
        for message in self.context.iter_mut().take(kept) {
            message.thinking = None;
        }
        self
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
        ] {
            names(besides, field);
        }
    }

    #[test]
    fn what_would_change_the_answer_and_is_not_taken_is_refused_with_its_name() {
        for (besides, field) in [
            (json!({"tool_choice":"required"}), "tool_choice"),
            (json!({"functions":[{"name":"f"}]}), "functions"),
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
            json!({"tools":[],"tool_choice":"auto","functions":[],"messages":[],"template":"","suffix":null,"temperature":null}),
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
