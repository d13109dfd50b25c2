//! ChatGPT's `conversations.json`: a list of conversations, each a `mapping` of nodes by id. The form is written
//! down nowhere; this is what exports hold.

use super::Notes;
use super::foreign::{Foreign, Node, append, bracket};
use super::times::time;
use sash_chat::json::Fields;
use sash_chat::{Outcome, Role};
use serde_json::Value;

/// Whether a value is a conversation.
pub fn is(value: &Value) -> bool {
    value.get("mapping").is_some_and(Value::is_object)
}

/// A conversation.
pub fn read(value: &Value) -> Foreign {
    let mut notes = Notes::default();
    let mapping = value.get("mapping").and_then(Value::as_object);
    let mapping = mapping.into_iter().flatten();
    let nodes: Vec<Node> = mapping
        .map(|(id, node)| read_node(id, node, &mut notes))
        .collect();
    let id = value.text("conversation_id").or_else(|| value.text("id"));
    Foreign {
        program: "chatgpt",
        id: id.unwrap_or_default(),
        title: value.text("title"),
        created: time(value.get("create_time")),
        model: value.text("default_model_slug"),
        system: None,
        nodes,
        current: value.text("current_node"),
        notes,
    }
}

fn read_node(id: &str, value: &Value, notes: &mut Notes) -> Node {
    let children = value.get("children").and_then(Value::as_array);
    let children = children.into_iter().flatten();
    let mut node = Node {
        id: id.to_owned(),
        parent: value.text("parent"),
        children: children
            .filter_map(|child| child.as_str().map(str::to_owned))
            .collect(),
        ..Node::default()
    };
    if let Some(message) = value.get("message").filter(|message| message.is_object()) {
        read_message(&mut node, message, notes);
    }
    node
}

fn read_message(node: &mut Node, message: &Value, notes: &mut Notes) {
    let author = message.get("author");
    let name = |field| author.and_then(|author| author.text(field));
    let meta = message.get("metadata");
    node.role = Role::parse(&name("role").unwrap_or_default());
    node.created = time(message.get("create_time"));
    read_content(node, message.get("content"), notes);
    let hidden = meta.is_some_and(|meta| {
        meta.flag("is_visually_hidden_from_conversation") || meta.flag("is_user_system_message")
    });
    if hidden {
        notes.hidden += usize::from(!node.content.trim().is_empty());
        node.content.clear();
        node.thinking.clear();
        return;
    }
    match node.role {
        Role::Assistant => node.model = meta.and_then(|meta| meta.text("model_slug")),
        Role::Tool => node.tool = name("name"),
        Role::System | Role::User => {}
    }
    let finished = meta.and_then(|meta| meta.get("finish_details")?.text("type"));
    if node.role == Role::Assistant && !node.content.trim().is_empty() {
        node.outcome = match finished.as_deref() {
            Some("max_tokens") => Outcome::CutOff,
            Some("interrupted") => Outcome::Stopped,
            _ => Outcome::Complete,
        };
    }
}

fn read_content(node: &mut Node, content: Option<&Value>, notes: &mut Notes) {
    let Some(content) = content else {
        return;
    };
    let kind = content
        .text("content_type")
        .unwrap_or_else(|| "text".to_owned());
    match kind.as_str() {
        // What the person told it about themselves, and what it remembers of them: settings, not said here.
        "user_editable_context" | "model_editable_context" => notes.hidden += 1,
        // "Thought for 12 seconds."
        "reasoning_recap" => {}
        "thoughts" => {
            let thoughts = content.get("thoughts").and_then(Value::as_array);
            for thought in thoughts.into_iter().flatten() {
                let summary = thought.text("summary").unwrap_or_default();
                append(&mut node.thinking, &summary);
                append(
                    &mut node.thinking,
                    &thought.text("content").unwrap_or_default(),
                );
            }
        }
        "code" => {
            let code = content.text("text").unwrap_or_default();
            let language = content
                .text("language")
                .filter(|l| l != "unknown")
                .unwrap_or_default();
            let language: String = language
                .chars()
                .filter(char::is_ascii_alphanumeric)
                .take(20)
                .collect();
            if !code.trim().is_empty() {
                let fence = fence(&code);
                node.content = format!("{fence}{language}\n{code}\n{fence}");
            }
        }
        _ => read_parts(node, &kind, content, notes),
    }
}

/// Of any other kind: its texts, in the place of anything else its name.
fn read_parts(node: &mut Node, kind: &str, content: &Value, notes: &mut Notes) {
    let parts = content.get("parts").and_then(Value::as_array);
    for part in parts.into_iter().flatten() {
        match part
            .as_str()
            .map(str::to_owned)
            .or_else(|| part.text("text"))
        {
            Some(words) => append(&mut node.content, &words),
            None if part.is_null() => {}
            None => {
                notes.no_text += 1;
                let kind = part
                    .text("content_type")
                    .unwrap_or_else(|| "part".to_owned());
                let name = part.text("name");
                append(&mut node.content, &bracket(word(&kind), name.as_deref()));
            }
        }
    }
    for field in ["title", "text", "result", "content"] {
        if let Some(words) = content.text(field) {
            append(&mut node.content, &words);
        }
    }
    if node.content.is_empty() && parts.is_none() && !matches!(kind, "text" | "multimodal_text") {
        notes.no_text += 1;
        append(&mut node.content, &bracket(kind, None));
    }
}

fn word(kind: &str) -> &str {
    match kind {
        "image_asset_pointer" => "image",
        "audio_asset_pointer" | "real_time_user_audio_video_asset_pointer" => "audio",
        "video_container_asset_pointer" => "video",
        other => other,
    }
}

/// A fence longer than any in the code.
fn fence(code: &str) -> String {
    let longest = code
        .split(|c| c != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    "`".repeat(longest.max(2) + 1)
}
