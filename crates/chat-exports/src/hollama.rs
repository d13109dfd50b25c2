//! Hollama's sessions: a list, each with a flat list of messages. (See its `src/lib/sessions.ts`; the file is
//! the value of `hollama-sessions` in its localStorage.)

use super::chat::{
    self, ExportedChat, ExportedMessage, ExportedRole, Notes, append, bracket, list,
};
use super::hash::hash;
use super::times::Time;
use serde::Deserialize;
use serde_json::Value;
use serde_with::{DefaultOnError, VecSkipError, apply};

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Session {
    id: String,
    title: Option<String>,
    updated_at: Time,
    model: Option<Model>,
    system_prompt: HollamaMessage,
}

/// The model; older sessions store its name alone.
#[derive(Deserialize)]
#[serde(untagged)]
enum Model {
    Name(String),
    Fields { name: String },
}

/// A message, or the system prompt.
#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct HollamaMessage {
    role: String,
    content: Option<String>,
    reasoning: String,
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    images: Vec<HollamaImage>,
}

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct HollamaImage {
    filename: Option<String>,
}

/// Whether a value is a session.
pub fn is(value: &Value) -> bool {
    value.get("messages").is_some_and(Value::is_array)
}

/// Reads a session.
pub fn read(value: &Value) -> ExportedChat {
    let session: Session = chat::read(value);
    let model = session.model.map(|model| match model {
        Model::Name(name) | Model::Fields { name } => name,
    });
    let mut notes = Notes::default();
    let mut nodes: Vec<ExportedMessage> = Vec::new();
    // Messages have no ids there. Each id is derived from the conversation up to it, so that an edited
    // message and what followed it become another branch and not another chat.
    let mut said = hash(0, b"hollama");
    for message in list(value, "messages") {
        let message: HollamaMessage = chat::read(message);
        let role = role(&message.role);
        let mut content = message.content.unwrap_or_default();
        said = hash(said ^ role as u64, content.as_bytes());
        for image in message.images {
            notes.no_text += 1;
            append(&mut content, &bracket("image", image.filename.as_deref()));
        }
        let id = format!("{said:016x}");
        nodes.push(ExportedMessage {
            parent: nodes.last().map(|before| before.id.clone()),
            id,
            role,
            content,
            thinking: message.reasoning,
            model: model.clone().filter(|_| role == ExportedRole::Assistant),
            created: session.updated_at.0,
            ..ExportedMessage::default()
        });
    }
    ExportedChat {
        program: "hollama",
        id: session.id,
        title: session.title,
        created: session.updated_at.0,
        model,
        system: session.system_prompt.content,
        current: nodes.last().map(|last| last.id.clone()),
        nodes,
        notes,
        ..ExportedChat::default()
    }
}

/// Parses a role; older sessions call the assistant "ai".
fn role(role: &str) -> ExportedRole {
    match role {
        "ai" => ExportedRole::Assistant,
        role => ExportedRole::parse(role),
    }
}
