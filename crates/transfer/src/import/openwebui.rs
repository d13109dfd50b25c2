//! Open WebUI's export: a list of chats, each with `chat.history.messages` by id; older ones have only a flat
//! list of messages. (See its `src/lib/utils/index.ts`, and what its import accepts.)

use super::ImportNotes;
use super::foreign::{self, Foreign, ForeignNode, MessagePart, append, bracket, list};
use super::hash::hash;
use super::times::Time;
use sash_chat::{Outcome, Role};
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
    error: Option<OpenWebUiError>,
    done: Option<bool>,
    model: Option<String>,
    timestamp: Time,
}

/// The text of a message: a string, or a list of parts.
#[derive(Deserialize)]
#[serde(untagged)]
enum OpenWebUiContent {
    Text(String),
    Parts(Vec<MessagePart>),
}

/// Why an answer failed.
#[derive(Deserialize)]
#[serde(untagged)]
enum OpenWebUiError {
    Text(String),
    Fields { content: String },
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
pub fn read(value: &Value) -> Foreign {
    let (outer, chat): (OpenWebUiChat, OpenWebUiChat) =
        (foreign::read(value), foreign::read(inner(value)));
    let mut notes = ImportNotes::default();
    let history = inner(value).get("history");
    let by_id = history
        .and_then(|h| h.get("messages"))
        .and_then(Value::as_object);
    let (nodes, current) = match by_id.filter(|messages| !messages.is_empty()) {
        Some(messages) => {
            let nodes = messages
                .iter()
                .map(|(id, message)| node(id, foreign::read(message), &mut notes));
            let current = history.and_then(|h| h.get("currentId")?.as_str());
            (nodes.collect(), current.map(str::to_owned))
        }
        None => row(inner(value), &mut notes),
    };
    let model = list(inner(value), "models").first().and_then(Value::as_str);
    Foreign {
        program: "open-webui",
        id: outer.id.or(chat.id).unwrap_or_default(),
        title: outer.title.or(chat.title),
        created: outer.created_at.0.or(chat.timestamp.0),
        model: model.map(str::to_owned).filter(|model| !model.is_empty()),
        system: chat.params.system.or(chat.system),
        nodes,
        current,
        notes,
    }
}

/// The messages of an older chat, each the child of the one before.
fn row(chat: &Value, notes: &mut ImportNotes) -> (Vec<ForeignNode>, Option<String>) {
    let mut nodes: Vec<ForeignNode> = Vec::new();
    let mut said = hash(0, b"open-webui");
    for message in list(chat, "messages") {
        let mut message: OpenWebUiMessage = foreign::read(message);
        let id = message.id.take();
        let mut node = node("", message, notes);
        said = hash(said ^ node.role as u64, node.content.as_bytes());
        node.id = id.unwrap_or_else(|| format!("{said:016x}"));
        node.parent = nodes.last().map(|before| before.id.clone());
        node.children.clear();
        nodes.push(node);
    }
    let current = nodes.last().map(|last| last.id.clone());
    (nodes, current)
}

fn node(id: &str, message: OpenWebUiMessage, notes: &mut ImportNotes) -> ForeignNode {
    let role = Role::parse(&message.role);
    let mut content = content(message.content, notes);
    let thinking = message.reasoning_content.or(message.reasoning);
    let mut thinking = thinking.or(message.thinking).unwrap_or_default();
    if role == Role::Assistant {
        take_thinking(&mut content, &mut thinking);
    }
    for file in message.files {
        notes.no_text += 1;
        let file = file.into_fields();
        let what = file.r#type.as_deref().unwrap_or("file");
        append(&mut content, &bracket(what, file.name.as_deref()));
    }
    let outcome = match message.error {
        Some(OpenWebUiError::Text(why) | OpenWebUiError::Fields { content: why }) => {
            Outcome::failed(why)
        }
        None if role == Role::Assistant && message.done == Some(false) => Outcome::Interrupted,
        None => Outcome::Complete,
    };
    ForeignNode {
        id: id.to_owned(),
        parent: message.parent_id,
        children: message.children_ids,
        role,
        content,
        thinking,
        model: message.model.filter(|_| role == Role::Assistant),
        created: message.timestamp.0,
        outcome,
        ..ForeignNode::default()
    }
}

fn content(content: Option<OpenWebUiContent>, notes: &mut ImportNotes) -> String {
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

/// Moves the thinking out of the text, where it is `<details type="reasoning" …>` with a summary and quoted
/// lines.
fn take_thinking(content: &mut String, thinking: &mut String) {
    const OPEN: &str = "<details type=\"reasoning\"";
    const CLOSE: &str = "</details>";
    let mut kept = String::new();
    let mut rest = content.as_str();
    while let Some((before, block)) = rest.split_once(OPEN) {
        let Some((block, after)) = block.split_once(CLOSE) else {
            break;
        };
        kept.push_str(before);
        let block = block.split_once('>').map_or("", |(_, inner)| inner);
        let block = match block.split_once("</summary>") {
            Some((_, thoughts)) => thoughts,
            None => block,
        };
        let lines = block.trim().lines();
        let lines = lines.map(|line| {
            line.strip_prefix("> ")
                .or_else(|| line.strip_prefix('>'))
                .unwrap_or(line)
        });
        append(thinking, &unescaped(&lines.collect::<Vec<_>>().join("\n")));
        rest = after.trim_start_matches('\n');
    }
    if rest.len() != content.len() {
        kept.push_str(rest);
        *content = kept;
    }
}

/// Unescapes the five characters that Open WebUI escapes there.
fn unescaped(text: &str) -> String {
    let marks = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#x27;", "'"),
        ("&amp;", "&"),
    ];
    let plain = |text: String, (from, to): (&str, &str)| text.replace(from, to);
    marks.into_iter().fold(text.to_owned(), plain)
}
