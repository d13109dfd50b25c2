//! Builds the body of `POST /api/chat` from a request of the page.

use crate::engine::call_ids::CallIds;
use ollama_rs::generation::chat::{ChatMessage, MessageRole, request::ChatMessageRequest};
use ollama_rs::generation::images::Image;
use sash_chat::Role;
use sash_wire::{ChatRequest, ContextMessage, Fault};
use serde_json::{Map, Value, json};

/// Ollama's body: the messages in order, streamed, and never cut silently: `truncate: false` is for the prompt,
/// `shift: false` for the answer, which otherwise pushes the oldest messages out of a full context while it is written.
/// Options, thinking, format and keep-alive are passed on unchanged.
///
/// # Errors
/// If it cannot be serialised, which no request of the page can cause.
pub fn chat(request: &ChatRequest) -> Result<Value, serde_json::Error> {
    let messages = request.messages();
    let typed = messages.iter().map(message).collect();
    let mut body = serde_json::to_value(ChatMessageRequest::new(request.model.clone(), typed))?;
    let Some(fields) = body.as_object_mut() else {
        return Ok(body);
    };
    if let Some(written) = fields.get_mut("messages").and_then(Value::as_array_mut) {
        let mut ids = CallIds::default();
        for (written, message) in written.iter_mut().zip(&messages) {
            complete(written, message, &mut ids);
        }
    }
    fields.insert("stream".to_owned(), json!(true));
    fields.insert("truncate".to_owned(), json!(false));
    fields.insert(SHIFT.to_owned(), json!(false));
    let passed_on = [
        ("options", request.options.clone().map(options)),
        ("think", request.think.clone()),
        ("format", request.format.clone()),
        ("keep_alive", request.keep_alive.clone()),
        (
            "tools",
            Some(json!(request.tools)).filter(|_| !request.tools.is_empty()),
        ),
    ];
    for (name, value) in passed_on {
        if let Some(value) = value.filter(|value| !value.is_null()) {
            fields.insert(name.to_owned(), value);
        }
    }
    Ok(body)
}

/// The field that decides what happens when the context is full in mid-answer. Another value loads the model anew, so
/// every request that may load it carries the same one.
pub const SHIFT: &str = "shift";

/// The same request, to be rendered without generating. Ollama's debug field is undocumented; a version that
/// does not support it answers with one token at most, because `num_predict` is 1; it is not a load option,
/// so the model is not reloaded.
///
/// # Errors
/// As [`chat`].
pub fn render(request: &ChatRequest) -> Result<Value, serde_json::Error> {
    let mut body = chat(request)?;
    body["stream"] = json!(false);
    body["_debug_render_only"] = json!(true);
    body["options"]["num_predict"] = json!(1);
    Ok(body)
}

/// The fault of a request that cannot be serialised.
#[must_use]
pub fn unserializable(error: &serde_json::Error) -> Fault {
    tracing::error!(%error, "a request could not be written");
    Fault::Internal
}

fn message(message: &ContextMessage) -> ChatMessage {
    let role = match message.role {
        Role::System => MessageRole::System,
        Role::User => MessageRole::User,
        Role::Assistant => MessageRole::Assistant,
        Role::Tool => MessageRole::Tool,
    };
    let typed = ChatMessage::new(role, message.content.clone());
    if message.images.is_empty() {
        return typed;
    }
    typed.with_images(message.images.iter().map(Image::from_base64).collect())
}

/// Removes the empty fields that ollama-rs writes (`thinking: null`, an empty list of calls), and adds the
/// original tool calls under ids of ours, the names and ids of results, and the thinking before a call, which it does not
/// support.
fn complete(written: &mut Value, message: &ContextMessage, ids: &mut CallIds) {
    let Some(fields) = written.as_object_mut() else {
        return;
    };
    fields.retain(|_, value| !value.is_null() && *value != json!([]));
    if let Some(Value::Array(given)) = &message.tool_calls {
        let mut calls = given.clone();
        for (call, id) in calls.iter_mut().zip(ids.begin(given)) {
            if let Some(call) = call.as_object_mut() {
                call.insert("id".to_owned(), json!(id));
            }
        }
        fields.insert("tool_calls".to_owned(), json!(calls));
    }
    if let Some(name) = &message.tool_name {
        fields.insert("tool_name".to_owned(), json!(name));
    }
    if message.role == Role::Tool {
        fields.insert("tool_call_id".to_owned(), json!(ids.answered_by(message)));
    }
    if let Some(thinking) = &message.thinking {
        fields.insert("thinking".to_owned(), json!(thinking));
    }
}

/// `num_predict: 0` means unlimited on one of Ollama's two code paths and one token on the other, so it is
/// sent as 1.
fn options(mut options: Map<String, Value>) -> Value {
    if options.get("num_predict").and_then(Value::as_f64) == Some(0.0) {
        options.insert("num_predict".to_owned(), json!(1));
    }
    Value::Object(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(request: Value) -> Value {
        chat(&serde_json::from_value(request).unwrap()).unwrap()
    }

    #[test]
    fn a_plain_prompt_is_one_message() {
        assert_eq!(
            body(json!({"model":"m","prompt":"p"})),
            json!({"model":"m","messages":[{"role":"user","content":"p"}],"stream":true,"truncate":false,"shift":false})
        );
    }

    #[test]
    fn system_context_and_prompt_stand_in_order_with_their_extras() {
        let body = body(json!({
            "model":"m", "prompt":"p", "system":"s", "images":["aGk="],
            "context":[
                {"role":"user","content":"a","images":["eA=="],"id":7},
                {"role":"assistant","content":"b","thinking":"no"},
                {"role":"tool","content":"c","tool_name":"t"}],
        }));
        assert_eq!(
            body["messages"],
            json!([
                {"role":"system","content":"s"},
                {"role":"user","content":"a","images":["eA=="]},
                {"role":"assistant","content":"b"},
                {"role":"tool","content":"c","tool_name":"t","tool_call_id":"call00000"},
                {"role":"user","content":"p","images":["aGk="]}])
        );
    }

    /// Mistral's templates refuse a call without an id, and any id but nine letters and digits.
    #[test]
    fn calls_and_their_results_have_ids_that_every_template_takes() {
        let call =
            |id: Value, name: &str| json!({"id":id,"function":{"name":name,"arguments":{"x":1}}});
        let body = body(json!({"model":"m","prompt":"p","context":[
            {"role":"user","content":"q"},
            {"role":"assistant","content":"","tool_calls":[
                call(json!("call_abc12345"), "a"),
                call(json!("chatcmpl-tool-8a1b2c3d4e5f"), "b"),
                {"function":{"name":"c"}}]},
            {"role":"tool","content":"2","tool_name":"b","tool_call_id":"chatcmpl-tool-8a1b2c3d4e5f"},
            {"role":"tool","content":"1","tool_call_id":"call_abc12345"},
            {"role":"tool","content":"3","tool_name":"c"},
            {"role":"assistant","content":"","tool_calls":[call(json!("toolu_01A"), "a")]},
            {"role":"tool","content":"4","tool_name":"a","tool_call_id":"toolu_01A"}]}));
        let at = |path: &str| {
            body.pointer(path)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let mut ids = Vec::new();
        for (call, result) in [
            ("/messages/1/tool_calls/1", "/messages/2"),
            ("/messages/1/tool_calls/0", "/messages/3"),
            ("/messages/1/tool_calls/2", "/messages/4"),
            ("/messages/5/tool_calls/0", "/messages/6"),
        ] {
            let id = at(&format!("{call}/id"));
            assert_eq!(id, at(&format!("{result}/tool_call_id")), "{call}");
            assert!(
                id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()),
                "{id}"
            );
            ids.push(id);
        }
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 4);
        assert_eq!(
            body["messages"][1]["tool_calls"][0]["function"],
            json!({"name":"a","arguments":{"x":1}})
        );
    }

    #[test]
    fn settings_are_passed_on_and_null_is_absent() {
        let body = body(
            json!({"model":"m","prompt":"p","options":{"num_ctx":8192,"min_p":0.1},
            "think":"low","format":{"type":"object"},"keep_alive":"10m","shift":true,"truncate":true,
            "stream":false}),
        );
        assert_eq!(body["options"], json!({"num_ctx":8192,"min_p":0.1}));
        assert_eq!(body["think"], "low");
        assert_eq!(body["format"], json!({"type":"object"}));
        assert_eq!(body["keep_alive"], "10m");
        assert_eq!(
            (&body["stream"], &body["truncate"]),
            (&json!(true), &json!(false))
        );
        assert_eq!(body["shift"], json!(false));
        let body = super::tests::body(json!({"model":"m","prompt":"p","think":null}));
        assert_eq!(body.get("think"), None);
    }

    #[test]
    fn a_schema_keeps_the_order_in_which_the_model_is_to_answer() {
        // Ollama builds its grammar from the schema field by field; with sorted fields the answer would come
        // before its reasons.
        let format =
            r#"{"type":"object","properties":{"reasons":{},"answer":{}},"description":"d"}"#;
        let request = format!(r#"{{"model":"m","prompt":"p","format":{format}}}"#);
        let body = body(serde_json::from_str(&request).unwrap());
        assert_eq!(body["format"].to_string(), format);
    }

    #[test]
    fn no_token_at_all_is_never_asked_for() {
        let body = body(json!({"model":"m","prompt":"p","options":{"num_predict":0}}));
        assert_eq!(body["options"], json!({"num_predict":1}));
    }

    #[test]
    fn rendering_asks_the_same_and_for_one_token_at_most() {
        for options in [json!(null), json!({"num_ctx":8192,"num_predict":500})] {
            let request = json!({"model":"m","prompt":"p","think":true,"options":options});
            let request = serde_json::from_value(request).unwrap();
            let mut expected = chat(&request).unwrap();
            expected["stream"] = json!(false);
            expected["_debug_render_only"] = json!(true);
            expected["options"]["num_predict"] = json!(1);
            assert_eq!(render(&request).unwrap(), expected);
            assert_eq!(expected["truncate"], json!(false));
            let num_ctx = request.options.is_some().then_some(8192);
            assert_eq!(expected["options"]["num_ctx"].as_i64(), num_ctx);
        }
    }
}
