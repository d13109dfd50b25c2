//! The `output` of an answer of Open WebUI, in which newer versions keep all of it: a list of messages, thoughts, calls
//! of tools and their results, as in OpenAI's Responses API.

use super::chat::{append, bracket, code_block};
use super::openwebui_details::{SplitAnswer, output_block, output_text};
use serde_json::Value;

/// Reads the items of an answer.
pub fn read_output(items: &[Value]) -> SplitAnswer {
    let mut answer = SplitAnswer::default();
    let kind = |item: &Value| {
        item.get("type")
            .and_then(Value::as_str)
            .is_some_and(is_call)
    };
    let calls = items.iter().filter(|item| kind(item));
    let calls: Vec<&Value> = calls.filter_map(|item| item.get("call_id")).collect();
    for item in items {
        let text = |key: &str| item.get(key).and_then(Value::as_str);
        match text("type").unwrap_or("message") {
            "message" => read_message(item, &mut answer),
            "reasoning" => {
                let summary = text_of(item.get("summary"));
                let content = text_of(item.get("content"));
                append(&mut answer.thinking, summary.trim());
                if content.trim() != summary.trim() {
                    append(&mut answer.thinking, content.trim());
                }
            }
            "function_call_output" | "custom_tool_call_output" => {
                // The result of a call counts with it.
                let is_alone = item.get("call_id").is_none_or(|id| !calls.contains(&id));
                if is_alone {
                    answer.calls += 1;
                    append(&mut answer.content, &bracket("tool", text("name")));
                }
            }
            "open_webui:code_interpreter" | "code_interpreter" => {
                let language = text("lang").or(text("language")).unwrap_or("python");
                let code = text("code").unwrap_or_default().trim();
                if !code.is_empty() {
                    append(&mut answer.content, &code_block(language, code));
                }
                let output = item.get("output").map(output_text).unwrap_or_default();
                append(&mut answer.content, &output_block(&output));
            }
            // Calls, and items of a later version: their words are kept where they are a message's.
            kind => {
                answer.calls += 1;
                let name = text("name").filter(|_| is_call(kind));
                let what = if is_call(kind) { "tool" } else { kind };
                let name = name.or_else(|| kind.strip_suffix("_call").filter(|_| is_call(kind)));
                append(&mut answer.content, &bracket(what, name));
                let words = text_of(item.get("content").or(item.get("text")));
                append(&mut answer.content, words.trim());
            }
        }
    }
    answer
}

fn is_call(kind: &str) -> bool {
    kind.ends_with("_call")
}

fn read_message(item: &Value, answer: &mut SplitAnswer) {
    match item.get("content").or(item.get("text")) {
        Some(Value::Array(parts)) => {
            let mut words = String::new();
            for part in parts {
                match part_text(part) {
                    Some(text) => words.push_str(text),
                    None => {
                        answer.calls += 1;
                        let kind = part.get("type").and_then(Value::as_str).unwrap_or("part");
                        append(&mut words, &bracket(kind, None));
                    }
                }
            }
            append(&mut answer.content, words.trim());
        }
        content => append(&mut answer.content, text_of(content).trim()),
    }
}

fn part_text(part: &Value) -> Option<&str> {
    let fields = ["text", "refusal", "content"].into_iter();
    let mut texts = fields.filter_map(|key| part.get(key)?.as_str());
    part.as_str().or_else(|| texts.next())
}

/// The text of a value that is a text, a list of parts or a part.
fn text_of(value: Option<&Value>) -> String {
    match value {
        Some(Value::Array(parts)) => parts.iter().filter_map(part_text).collect(),
        Some(part) => part_text(part).unwrap_or_default().to_owned(),
        None => String::new(),
    }
}
