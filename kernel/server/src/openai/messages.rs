//! The messages of a request in the form of this API.

use crate::engine::call_ids::CallIds;
use sash_chat::Role;
use sash_wire::ContextMessage;
use serde_json::{Map, Value, json};

/// The messages. A tool's result must name its call by an id, which not every call has, so calls are numbered.
pub fn messages(all: &[ContextMessage]) -> Value {
    let mut ids = CallIds::default();
    let written = all.iter().map(|message| {
        let mut fields = Map::new();
        fields.insert("role".to_owned(), json!(message.role.as_str()));
        fields.insert("content".to_owned(), content(message));
        if let Some(Value::Array(given)) = &message.tool_calls {
            let calls = given.iter().zip(ids.begin(given));
            let calls: Value = calls.map(|(call, id)| tool_call(&id, call)).collect();
            fields.insert("tool_calls".to_owned(), calls);
        }
        // The name that DeepSeek gave it; vLLM, SGLang and `llama-server` hand it to the template.
        if let Some(thinking) = &message.thinking {
            fields.insert("reasoning_content".to_owned(), json!(thinking));
        }
        if message.role == Role::Tool {
            let id = ids.answered_by(message);
            fields.insert("tool_call_id".to_owned(), json!(id));
        }
        Value::Object(fields)
    });
    written.collect()
}

fn content(message: &ContextMessage) -> Value {
    if message.images.is_empty() {
        return json!(message.content);
    }
    let text = json!({"type": "text", "text": message.content});
    let images = message.images.iter().map(|image| {
        let url = format!("data:{};base64,{image}", image_type(image));
        json!({"type": "image_url", "image_url": {"url": url}})
    });
    std::iter::once(text).chain(images).collect()
}

/// The media type of an image in base64, by the first bytes of the file.
fn image_type(image: &str) -> &'static str {
    match image.get(..4) {
        Some("/9j/") => "image/jpeg",
        Some("R0lG") => "image/gif",
        Some("UklG") => "image/webp",
        _ => "image/png",
    }
}

/// A call in this API's form: with an id, and its arguments as text.
fn tool_call(id: &str, call: &Value) -> Value {
    let function = call.get("function").unwrap_or(&Value::Null);
    let arguments = match function.get("arguments") {
        Some(Value::String(text)) => text.clone(),
        Some(arguments) => arguments.to_string(),
        None => "{}".to_owned(),
    };
    let name = function.get("name").and_then(Value::as_str);
    let function = json!({"name": name.unwrap_or_default(), "arguments": arguments});
    json!({"id": id, "type": "function", "function": function})
}

#[cfg(test)]
mod tests {
    use super::*;
    use sash_wire::ChatRequest;

    fn written(request: Value) -> Value {
        let request: ChatRequest = serde_json::from_value(request).unwrap();
        messages(&request.messages())
    }

    #[test]
    fn images_are_parts_and_calls_have_numbers() {
        let messages = written(
            json!({"model":"m","prompt":"p","images":["/9j/aGk="],"context":[
            {"role":"assistant","content":"","tool_calls":[
                {"function":{"name":"a","arguments":{"x":1}}},{"function":{"name":"b","arguments":{}}}]},
            {"role":"tool","content":"1","tool_name":"a"},
            {"role":"tool","content":"2","tool_name":"b"}]}),
        );
        assert_eq!(
            messages[0]["tool_calls"][0],
            json!({"id":"call00001","type":"function","function":{"name":"a","arguments":"{\"x\":1}"}})
        );
        assert_eq!(messages[1]["tool_call_id"], "call00001");
        assert_eq!(
            messages[2],
            json!({"role":"tool","content":"2","tool_call_id":"call00002"})
        );
        assert_eq!(
            messages[3]["content"][1],
            json!({"type":"image_url","image_url":{"url":"data:image/jpeg;base64,/9j/aGk="}})
        );
    }

    /// The calls `a` with the id `x`, `b` with the id `y`, and `a` without one; then results.
    fn answered(results: &[Value]) -> Vec<String> {
        let call = |id: Value, name: &str| json!({"id":id,"function":{"name":name}});
        let calls = [
            call(json!("x"), "a"),
            call(json!("y"), "b"),
            call(json!(null), "a"),
        ];
        let mut context = vec![json!({"role":"assistant","tool_calls":calls})];
        context.extend(results.iter().map(|result| {
            let mut message = json!({"role":"tool","content":"r"});
            let fields = result.as_object().unwrap().clone();
            message.as_object_mut().unwrap().extend(fields);
            message
        }));
        let messages = written(json!({"model":"m","prompt":"","context":context}));
        let results = messages.as_array().unwrap().iter().skip(1);
        let ids = results.map(|result| result["tool_call_id"].as_str().unwrap().to_owned());
        ids.collect()
    }

    #[test]
    fn a_result_belongs_to_the_call_that_it_names() {
        let id = |id: &str| json!({ "tool_call_id": id });
        let name = |name: &str| json!({ "tool_name": name });
        for (results, calls) in [
            (vec![id("y"), id("x")], vec!["call00002", "call00001"]),
            (vec![name("b"), name("a")], vec!["call00002", "call00001"]),
            (vec![id("y"), json!({})], vec!["call00002", "call00001"]),
            (
                vec![id("x"), name("a"), id("unknown")],
                vec!["call00001", "call00003", "call00002"],
            ),
            (
                vec![id("y"), id("y"), json!({}), json!({})],
                vec!["call00002", "call00001", "call00003", "call00000"],
            ),
        ] {
            assert_eq!(answered(&results), calls, "{results:?}");
        }
    }
}
