//! ChatGPT's `conversations.json`: a list of conversations, each a `mapping` of nodes by id. The format is
//! undocumented; this follows what exports contain.

use super::assets::Assets;
use super::chat::{
    self, AttachedFile, ExportedChat, ExportedMessage, ExportedOutcome, ExportedRole, Notes,
    ReaderVersion,
};
use super::chatgpt_canvas::document;
use super::chatgpt_content::{ChatGptContent, pointers, read_content};
use super::chatgpt_marks::Marks;
use super::times::Time;
use serde::Deserialize;
use serde_json::Value;
use serde_with::{DefaultOnError, VecSkipError, apply};

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct ChatGptConversation {
    conversation_id: Option<String>,
    id: Option<String>,
    title: Option<String>,
    create_time: Time,
    default_model_slug: Option<String>,
    current_node: Option<String>,
}

/// A node of the mapping.
#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct Mapped {
    parent: Option<String>,
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    children: Vec<String>,
    message: Option<ChatGptMessage>,
}

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct ChatGptMessage {
    author: Author,
    create_time: Time,
    content: Value,
    metadata: Metadata,
    /// The tool that it calls.
    recipient: String,
}

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct Author {
    role: String,
    name: Option<String>,
}

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct Metadata {
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    attachments: Vec<Attachment>,
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    content_references: Vec<Value>,
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    citations: Vec<Value>,
    is_visually_hidden_from_conversation: bool,
    is_user_system_message: bool,
    model_slug: Option<String>,
    finish_details: FinishDetails,
}

/// A file that the person sent along. An image is a part of the content too.
#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct Attachment {
    id: String,
    name: Option<String>,
    mime_type: Option<String>,
}

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct FinishDetails {
    r#type: Option<String>,
}

/// Whether a value is a conversation.
pub fn is(value: &Value) -> bool {
    value.get("mapping").is_some_and(Value::is_object)
}

/// Reads a conversation.
pub fn read(value: &Value, assets: &Assets, reading: ReaderVersion) -> ExportedChat {
    let conversation: ChatGptConversation = chat::read(value);
    let mut notes = Notes::default();
    let mapping = value.get("mapping").and_then(Value::as_object);
    let mapping = mapping.into_iter().flatten();
    let nodes: Vec<ExportedMessage> = mapping
        .map(|(id, node)| read_node(id, chat::read(node), assets, &mut notes, reading))
        .collect();
    let id = conversation.conversation_id.or(conversation.id);
    ExportedChat {
        program: "chatgpt",
        id: id.unwrap_or_default(),
        title: conversation.title,
        created: conversation.create_time.0,
        model: conversation.default_model_slug,
        system: None,
        nodes,
        current: conversation.current_node,
        notes,
        ..ExportedChat::default()
    }
}

fn read_node(
    id: &str,
    mapped: Mapped,
    assets: &Assets,
    notes: &mut Notes,
    reading: ReaderVersion,
) -> ExportedMessage {
    let mut node = ExportedMessage {
        id: id.to_owned(),
        parent: mapped.parent,
        children: mapped.children,
        ..ExportedMessage::default()
    };
    if let Some(message) = mapped.message {
        read_message(&mut node, message, assets, notes, reading);
    }
    node
}

fn read_message(
    node: &mut ExportedMessage,
    message: ChatGptMessage,
    assets: &Assets,
    notes: &mut Notes,
    reading: ReaderVersion,
) {
    let ChatGptMessage {
        author, metadata, ..
    } = message;
    node.role = ExportedRole::parse(&author.role);
    node.created = message.create_time.0;
    let mut own = Notes::default();
    let fields = message.content;
    let content: ChatGptContent = chat::read(&fields);
    let in_parts = pointers(&content);
    let mut marks = Marks::new(&metadata.content_references, &metadata.citations, node.role);
    match (reading, document(&message.recipient, &fields)) {
        (ReaderVersion::Former, _) => {
            let (content, mut marks) = (content.into_former(), Marks::off());
            read_content(node, content, &Value::Null, assets, &mut own, &mut marks);
        }
        (ReaderVersion::Now, Some(document)) => node.content = document,
        (ReaderVersion::Now, None) => {
            read_content(node, content, &fields, assets, &mut own, &mut marks);
        }
    }
    marks.finish(&node.content, &mut own);
    for file in &metadata.attachments {
        read_attachment(node, file, &in_parts, assets, &mut own);
    }
    for id in assets.generated_for(&node.id) {
        let names: [&str; 1] = [id];
        let file = AttachedFile {
            names: &names,
            title: None,
            what: "image",
        };
        node.attach(&file, assets, &mut own);
    }
    if metadata.is_visually_hidden_from_conversation || metadata.is_user_system_message {
        let has_text = [&node.content, &node.thinking]
            .iter()
            .any(|text| !text.trim().is_empty());
        notes.hidden += own.hidden + usize::from(has_text);
        node.content.clear();
        node.images.clear();
        node.thinking.clear();
        return;
    }
    notes.add(&own);
    match node.role {
        ExportedRole::Assistant => node.model = metadata.model_slug,
        ExportedRole::Tool => node.tool = author.name,
        ExportedRole::System | ExportedRole::User => {}
    }
    if node.role == ExportedRole::Assistant && !node.content.trim().is_empty() {
        node.outcome = match metadata.finish_details.r#type.as_deref() {
            Some("max_tokens") => ExportedOutcome::CutOff,
            Some("interrupted") => ExportedOutcome::Stopped,
            _ => ExportedOutcome::Complete,
        };
    }
}

/// Reads a file that the person sent along, unless it is a part of the content.
fn read_attachment(
    node: &mut ExportedMessage,
    file: &Attachment,
    in_parts: &[String],
    assets: &Assets,
    notes: &mut Notes,
) {
    let is_in_parts = |pointer: &String| !file.id.is_empty() && pointer.contains(&file.id);
    if in_parts.iter().any(is_in_parts) {
        return;
    }
    let is_image = file
        .mime_type
        .as_deref()
        .is_some_and(|mime| mime.starts_with("image/"));
    let attached = AttachedFile {
        names: &[&file.id],
        title: file.name.as_deref(),
        what: if is_image { "image" } else { "file" },
    };
    node.attach(&attached, assets, notes);
}
