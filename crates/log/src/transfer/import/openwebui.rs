//! Open WebUI's export: a list of chats, each with `chat.history.messages` by id; older ones have a row of
//! messages only. (Its `src/lib/utils/index.ts`, and what its import takes.)

use super::Notes;
use super::decide::hash;
use super::foreign::{Foreign, Node, append, bracket};
use super::times::time;
use sash_chat::json::Fields;
use sash_chat::{Outcome, Role};
use serde_json::Value;

/// Whether a value is a chat of it.
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

/// A chat.
pub fn read(value: &Value) -> Foreign {
    let chat = inner(value);
    let mut notes = Notes::default();
    let history = chat.get("history");
    let by_id = history
        .and_then(|h| h.get("messages"))
        .and_then(Value::as_object);
    let (nodes, current) = match by_id.filter(|messages| !messages.is_empty()) {
        Some(messages) => {
            let nodes = messages
                .iter()
                .map(|(id, message)| node(id, message, &mut notes));
            (nodes.collect(), history.and_then(|h| h.text("currentId")))
        }
        None => row(chat, &mut notes),
    };
    let system = chat.get("params").and_then(|params| params.text("system"));
    let models = chat.get("models").and_then(Value::as_array);
    let model = models.and_then(|models| models.first()?.as_str());
    let title = value.text("title").or_else(|| chat.text("title"));
    let created = time(value.get("created_at")).or_else(|| time(chat.get("timestamp")));
    Foreign {
        program: "open-webui",
        id: value
            .text("id")
            .or_else(|| chat.text("id"))
            .unwrap_or_default(),
        title,
        created,
        model: model.map(str::to_owned).filter(|model| !model.is_empty()),
        system: system.or_else(|| chat.text("system")),
        nodes,
        current,
        notes,
    }
}

/// The messages of an older chat, one after the other.
fn row(chat: &Value, notes: &mut Notes) -> (Vec<Node>, Option<String>) {
    let mut nodes: Vec<Node> = Vec::new();
    let mut said = hash(0, b"open-webui");
    let messages = chat.get("messages").and_then(Value::as_array);
    for message in messages.into_iter().flatten() {
        let mut node = node("", message, notes);
        said = hash(said ^ node.role as u64, node.content.as_bytes());
        node.id = message.text("id").unwrap_or_else(|| format!("{said:016x}"));
        node.parent = nodes.last().map(|before| before.id.clone());
        node.children.clear();
        nodes.push(node);
    }
    let current = nodes.last().map(|last| last.id.clone());
    (nodes, current)
}

fn node(id: &str, message: &Value, notes: &mut Notes) -> Node {
    let role = Role::parse(&message.text("role").unwrap_or_default());
    let mut content = content(message.get("content"), notes);
    let mut thinking = ["reasoning_content", "reasoning", "thinking"]
        .iter()
        .find_map(|field| message.text(field))
        .unwrap_or_default();
    if role == Role::Assistant {
        take_thinking(&mut content, &mut thinking);
    }
    for file in message
        .get("files")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        notes.no_text += 1;
        let what = file.text("type").unwrap_or_else(|| "file".to_owned());
        append(&mut content, &bracket(&what, file.text("name").as_deref()));
    }
    let failed = message.get("error").and_then(|error| {
        let nested = error.get("content").and_then(Value::as_str);
        nested.or(error.as_str()).map(str::to_owned)
    });
    let outcome = match failed {
        Some(why) => Outcome::failed(why),
        None if role == Role::Assistant
            && message.get("done").and_then(Value::as_bool) == Some(false) =>
        {
            Outcome::Interrupted
        }
        None => Outcome::Complete,
    };
    let children = message.get("childrenIds").and_then(Value::as_array);
    let children = children.into_iter().flatten();
    Node {
        id: id.to_owned(),
        parent: message.text("parentId"),
        children: children
            .filter_map(|child| child.as_str().map(str::to_owned))
            .collect(),
        role,
        content,
        thinking,
        model: message.text("model").filter(|_| role == Role::Assistant),
        created: time(message.get("timestamp")),
        outcome,
        ..Node::default()
    }
}

/// The text of a message: as it is, or the texts of its parts.
fn content(value: Option<&Value>, notes: &mut Notes) -> String {
    let mut text = String::new();
    match value {
        Some(Value::String(words)) => text.push_str(words),
        Some(Value::Array(parts)) => {
            for part in parts {
                match part
                    .text("text")
                    .or_else(|| part.as_str().map(str::to_owned))
                {
                    Some(words) => append(&mut text, &words),
                    None => {
                        notes.no_text += 1;
                        let what = part.text("type").unwrap_or_else(|| "part".to_owned());
                        append(&mut text, &bracket(what.trim_end_matches("_url"), None));
                    }
                }
            }
        }
        _ => {}
    }
    text
}

/// Thoughts stand in the text there, as `<details type="reasoning" …>` with a summary and quoted lines.
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

/// The five marks that it escapes there.
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
