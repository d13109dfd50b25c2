//! Open WebUI's export: a list of chats, each with `chat.history.messages` by id; older ones have only a flat
//! list of messages. (See its `src/lib/utils/index.ts`, and what its import accepts.)

use super::chat::{
    self, ExportedChat, ExportedMessage, ExportedOutcome, ExportedRole, MessagePart, Notes,
    ReaderVersion, append, bracket, list,
};
use super::hash::hash;
use super::links::lost_links;
use super::openwebui_added::add_output;
use super::openwebui_details::{SplitAnswer, read_details};
use super::openwebui_former::{former_failure, take_thinking};
use super::times::Time;
use serde::Deserialize;
use serde_json::Value;
use serde_with::{DefaultOnError, VecSkipError, apply};

/// A chat, or the object around it in newer exports: both have an id and a title.
#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct OpenWebUiChat {
    id: Option<String>,
    title: Option<String>,
    created_at: Time,
    timestamp: Time,
    system: Option<String>,
    params: Params,
}

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct Params {
    system: Option<String>,
}

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct OpenWebUiMessage {
    id: Option<String>,
    parent_id: Option<String>,
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    children_ids: Vec<String>,
    role: String,
    content: Option<OpenWebUiContent>,
    #[serde(rename = "reasoning_content")]
    reasoning_content: Option<String>,
    reasoning: Option<String>,
    thinking: Option<String>,
    files: Vec<MessagePart>,
    /// All of an answer, where `content` is empty.
    #[serde(rename = "output")]
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    output: Vec<Value>,
    #[serde(rename = "tool_calls")]
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    tool_calls: Vec<Value>,
    /// What was quoted of pages and files.
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    sources: Vec<Value>,
    /// The answers of several models as one.
    merged: Merged,
    error: Option<Value>,
    done: Option<bool>,
    model: Option<String>,
    model_idx: usize,
    timestamp: Time,
}

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct Merged {
    content: String,
}

/// The text of a message: a string, or a list of parts.
#[derive(Deserialize)]
#[serde(untagged)]
enum OpenWebUiContent {
    Text(String),
    Parts(Vec<MessagePart>),
}

/// Whether a value is a chat of Open WebUI.
pub fn is(value: &Value) -> bool {
    let chat = inner(value);
    let history = chat.get("history").and_then(|h| h.get("messages"));
    let row = chat.get("messages").is_some_and(Value::is_array);
    history.is_some_and(Value::is_object)
        || row && (value.get("chat").is_some() || chat.get("models").is_some())
}

fn inner(value: &Value) -> &Value {
    value
        .get("chat")
        .filter(|chat| chat.is_object())
        .unwrap_or(value)
}

/// Reads a chat.
pub fn read(value: &Value, reading: ReaderVersion) -> ExportedChat {
    let (outer, chat): (OpenWebUiChat, OpenWebUiChat) =
        (chat::read(value), chat::read(inner(value)));
    let mut notes = Notes::default();
    let models = list(inner(value), "models");
    let history = inner(value).get("history");
    let by_id = history
        .and_then(|h| h.get("messages"))
        .and_then(Value::as_object);
    let (nodes, current) = match by_id.filter(|messages| !messages.is_empty()) {
        Some(messages) => {
            let nodes = messages
                .iter()
                .map(|(id, message)| node(id, chat::read(message), models, &mut notes, reading));
            let current = history.and_then(|h| h.get("currentId")?.as_str());
            (nodes.collect(), current.map(str::to_owned))
        }
        None => row(inner(value), &mut notes, reading),
    };
    let model = models.first().and_then(Value::as_str);
    ExportedChat {
        program: "open-webui",
        id: outer.id.or(chat.id).unwrap_or_default(),
        title: outer.title.or(chat.title),
        created: outer.created_at.0.or(chat.timestamp.0),
        model: model.map(str::to_owned).filter(|model| !model.is_empty()),
        system: chat.params.system.or(chat.system),
        nodes,
        current,
        notes,
        ..ExportedChat::default()
    }
}

/// The messages of an older chat, each the child of the one before.
fn row(
    chat: &Value,
    notes: &mut Notes,
    reading: ReaderVersion,
) -> (Vec<ExportedMessage>, Option<String>) {
    let models = list(chat, "models");
    let mut nodes: Vec<ExportedMessage> = Vec::new();
    let mut said = hash(0, b"open-webui");
    for value in list(chat, "messages") {
        let mut message: OpenWebUiMessage = chat::read(value);
        let id = message.id.take();
        // Ids are made of the text as earlier versions read it, which is how a chat that they imported is known.
        let mut others = Notes::default();
        let former = node(
            "",
            chat::read(value),
            models,
            &mut others,
            ReaderVersion::Former,
        );
        said = hash(said ^ former.role as u64, former.content.as_bytes());
        let mut node = node("", message, models, notes, reading);
        node.id = id.unwrap_or_else(|| format!("{said:016x}"));
        node.parent = nodes.last().map(|before| before.id.clone());
        node.children.clear();
        nodes.push(node);
    }
    let current = nodes.last().map(|last| last.id.clone());
    (nodes, current)
}

fn node(
    id: &str,
    message: OpenWebUiMessage,
    models: &[Value],
    notes: &mut Notes,
    reading: ReaderVersion,
) -> ExportedMessage {
    let role = ExportedRole::parse(&message.role);
    let mut content = content(message.content, notes);
    let thinking = message.reasoning_content.or(message.reasoning);
    let mut thinking = thinking.or(message.thinking).unwrap_or_default();
    if reading == ReaderVersion::Former {
        if role == ExportedRole::Assistant {
            take_thinking(&mut content, &mut thinking);
        }
    } else if role == ExportedRole::Assistant {
        let mut answer = read_details(&content);
        notes.hidden += usize::from(add_output(&mut answer, &message.output));
        name_calls(&mut answer, &message.tool_calls);
        if !answer.content.contains(message.merged.content.trim()) {
            append(&mut answer.content, &message.merged.content);
        }
        if !thinking.contains(answer.thinking.trim()) {
            append(&mut thinking, &answer.thinking);
        }
        notes.no_text += answer.calls;
        content = answer.content;
    }
    notes.sources += lost_sources(&message.sources, &content);
    let failure = match reading {
        ReaderVersion::Now => failure(message.error, &mut content),
        ReaderVersion::Former => message.error.and_then(former_failure),
    };
    let outcome = match failure {
        Some(why) => ExportedOutcome::Failed(why),
        None if role == ExportedRole::Assistant && message.done == Some(false) => {
            ExportedOutcome::Interrupted
        }
        None => ExportedOutcome::Complete,
    };
    for file in message.files {
        notes.no_text += 1;
        let file = file.into_fields();
        let what = file.r#type.as_deref().unwrap_or("file");
        append(&mut content, &bracket(what, file.name.as_deref()));
    }
    let of_chat = || models.get(message.model_idx)?.as_str().map(str::to_owned);
    let model = message.model.or_else(of_chat);
    let model = model.filter(|model| role == ExportedRole::Assistant && !model.is_empty());
    ExportedMessage {
        id: id.to_owned(),
        parent: message.parent_id,
        children: message.children_ids,
        role,
        content,
        thinking,
        model,
        created: message.timestamp.0,
        outcome,
        ..ExportedMessage::default()
    }
}

/// Names the calls of a message that its text does not name.
fn name_calls(answer: &mut SplitAnswer, calls: &[Value]) {
    for call in calls {
        let name = call.pointer("/function/name").and_then(Value::as_str);
        let named = bracket("tool", name);
        if !answer.content.contains(&named) {
            answer.calls += 1;
            append(&mut answer.content, &named);
        }
    }
}

/// The pages and files that an answer was made from and does not link.
fn lost_sources(sources: &[Value], text: &str) -> usize {
    let has_link = |source: &&Value| source.pointer("/source/url").is_some();
    let (linked, others): (Vec<&Value>, Vec<&Value>) = sources.iter().partition(has_link);
    lost_links(
        linked.iter().filter_map(|source| source.get("source")),
        text,
    ) + others.len()
}

/// Why an answer failed, if it did. Older versions said it in the text.
fn failure(error: Option<Value>, content: &mut String) -> Option<String> {
    match error? {
        Value::Null | Value::Bool(false) => None,
        Value::String(why) => Some(why),
        Value::Bool(true) => Some(std::mem::take(content)),
        error => {
            let fields = ["content", "message", "detail", "error"].into_iter();
            let mut words = fields.filter_map(|key| error.get(key)?.as_str());
            Some(
                words
                    .next()
                    .map_or_else(|| error.to_string(), str::to_owned),
            )
        }
    }
}

fn content(content: Option<OpenWebUiContent>, notes: &mut Notes) -> String {
    let parts = match content {
        None => return String::new(),
        Some(OpenWebUiContent::Text(words)) => return words,
        Some(OpenWebUiContent::Parts(parts)) => parts,
    };
    let mut text = String::new();
    for part in parts {
        let part = part.into_fields();
        match part.text {
            Some(words) => append(&mut text, &words),
            None => {
                notes.no_text += 1;
                let what = part.r#type.as_deref().unwrap_or("part");
                append(&mut text, &bracket(what.trim_end_matches("_url"), None));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The ids of a list without any are made of the text as it is in the file: without that, a chat that was imported
    /// once came in a second time within itself.
    #[test]
    fn a_list_without_ids_has_the_ids_of_earlier_imports() {
        let raw = "A.\n<details type=\"tool_calls\" name=\"clock\">\n</details>\nB.";
        let messages = json!([
            { "role": "user", "content": "Why?" },
            { "role": "assistant", "content": raw, "output": [{ "type": "message", "content": "C." }] },
            { "role": "assistant", "content": "", "output": [{ "type": "message", "content": "D." }] },
            { "role": "assistant", "content": "E.", "error": true },
        ]);
        let mut said = hash(0, b"open-webui");
        let mut id = |role: ExportedRole, text: &str| {
            said = hash(said ^ role as u64, text.as_bytes());
            format!("{said:016x}")
        };
        let expected = [
            id(ExportedRole::User, "Why?"),
            id(ExportedRole::Assistant, raw),
            id(ExportedRole::Assistant, ""),
            id(ExportedRole::Assistant, "E."),
        ];
        for reading in [ReaderVersion::Now, ReaderVersion::Former] {
            let chat = read(&json!({ "chat": { "messages": messages } }), reading);
            let ids: Vec<String> = chat.nodes.into_iter().map(|node| node.id).collect();
            assert_eq!(ids, expected);
        }
    }
}
