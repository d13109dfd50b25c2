//! Hollama's sessions: a list, each a row of messages. (Its `src/lib/sessions.ts`; the file is what stands in its
//! localStorage under `hollama-sessions`.)

use super::Notes;
use super::decide::hash;
use super::foreign::{Foreign, Node, append, bracket};
use super::times::time;
use sash_chat::Role;
use sash_chat::json::Fields;
use serde_json::Value;

/// Whether a value is a session.
pub fn is(value: &Value) -> bool {
    value.get("messages").is_some_and(Value::is_array)
}

/// A session.
pub fn read(session: &Value) -> Foreign {
    let mut notes = Notes::default();
    let when = time(session.get("updatedAt"));
    let mut nodes: Vec<Node> = Vec::new();
    let messages = session.get("messages").and_then(Value::as_array);
    // Messages have no names there. Each is named by what was said up to it, so that one that was edited, and
    // what followed it, is another branch and not another chat.
    let mut said = hash(0, b"hollama");
    for message in messages.into_iter().flatten() {
        let role = role(message);
        let mut content = message.text("content").unwrap_or_default();
        said = hash(said ^ role as u64, content.as_bytes());
        for image in message
            .get("images")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            notes.no_text += 1;
            append(
                &mut content,
                &bracket("image", image.text("filename").as_deref()),
            );
        }
        let id = format!("{said:016x}");
        nodes.push(Node {
            parent: nodes.last().map(|before| before.id.clone()),
            id,
            role,
            content,
            thinking: message.text("reasoning").unwrap_or_default(),
            model: model(session).filter(|_| role == Role::Assistant),
            created: when,
            ..Node::default()
        });
    }
    Foreign {
        program: "hollama",
        id: session.text("id").unwrap_or_default(),
        title: session.text("title"),
        created: when,
        model: model(session),
        system: session
            .get("systemPrompt")
            .and_then(|system| system.text("content")),
        current: nodes.last().map(|last| last.id.clone()),
        nodes,
        notes,
    }
}

/// Older sessions name the model alone, and call the assistant "ai".
fn model(session: &Value) -> Option<String> {
    let model = session.get("model")?;
    model
        .as_str()
        .map(str::to_owned)
        .or_else(|| model.text("name"))
}

fn role(message: &Value) -> Role {
    match message.text("role").as_deref() {
        Some("ai") => Role::Assistant,
        role => Role::parse(role.unwrap_or_default()),
    }
}
