//! ChatGPT's canvas: a document that the model writes by calling a tool with JSON.

use super::chat::{append, code_block};
use serde_json::Value;

/// The tool that begins a document.
const TOOL: &str = "canmore.create_textdoc";

/// The document that a message begins, with its name. `None` for any other message, and for a call that is not whole.
pub fn document(recipient: &str, content: &Value) -> Option<String> {
    if recipient != TOOL {
        return None;
    }
    let part = || content.get("parts")?.get(0)?.as_str();
    let call = content.get("text").and_then(Value::as_str).or_else(part)?;
    let call: Value = serde_json::from_str(call).ok()?;
    let text = |key: &str| call.get(key).and_then(Value::as_str);
    let written = text("content")?;
    let mut document = text("name").unwrap_or_default().trim().to_owned();
    append(
        &mut document,
        &match text("type").and_then(|kind| kind.strip_prefix("code")) {
            Some(language) => code_block(language.trim_start_matches('/'), written),
            None => written.to_owned(),
        },
    );
    Some(document)
}
