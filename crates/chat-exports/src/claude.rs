//! Claude's `conversations.json`: a list of conversations, each with a list of messages, which newer exports chain by
//! the parents that they name. The format is undocumented; this follows what exports contain.

use super::assets::Assets;
use super::chat::{
    self, AttachedFile, ExportedChat, ExportedMessage, ExportedRole, Notes, ReaderVersion, append,
    bracket, list,
};
use super::links::lost_links;
use super::times::Time;
use serde::Deserialize;
use serde_json::Value;
use serde_with::{DefaultOnError, VecSkipError, apply};

/// The parent that the first messages of a conversation name.
const NO_PARENT: &str = "00000000-0000-4000-8000-000000000000";

/// What stands in a message's text for each part that is no text.
const NOT_SUPPORTED: &str = "```\nThis block is not supported on your current device yet.\n```";

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct ClaudeConversation {
    uuid: String,
    name: Option<String>,
    model: Option<String>,
    created_at: Time,
    current_leaf_message_uuid: Option<String>,
}

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct ClaudeMessage {
    uuid: String,
    parent_message_uuid: Option<String>,
    sender: String,
    text: String,
    created_at: Time,
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    content: Vec<ContentBlock>,
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    attachments: Vec<Attachment>,
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    files: Vec<ClaudeFile>,
}

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct ContentBlock {
    r#type: String,
    text: Option<String>,
    thinking: Option<String>,
    name: Option<String>,
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    citations: Vec<Value>,
}

/// A file whose text the export has.
#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct Attachment {
    file_name: String,
    extracted_content: String,
}

/// A file that is only named, an image mostly.
#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct ClaudeFile {
    file_uuid: String,
    file_name: String,
    file_kind: Option<String>,
}

/// Whether a value is a conversation.
pub fn is(value: &Value) -> bool {
    value.get("chat_messages").is_some_and(Value::is_array)
}

/// Reads a conversation.
pub fn read(value: &Value, assets: &Assets, reading: ReaderVersion) -> ExportedChat {
    let conversation: ClaudeConversation = chat::read(value);
    let mut notes = Notes::default();
    let messages = list(value, "chat_messages").iter();
    let messages: Vec<ClaudeMessage> = messages.map(chat::read).collect();
    let is_tree = messages.iter().any(|m| m.parent_message_uuid.is_some());
    let mut nodes: Vec<ExportedMessage> = Vec::new();
    for message in messages {
        let parent = match is_tree {
            true => message.parent_message_uuid.clone(),
            false => nodes.last().map(|before| before.id.clone()),
        };
        let mut node = node(message, assets, &mut notes, reading);
        node.parent = parent.filter(|parent| parent != NO_PARENT);
        nodes.push(node);
    }
    let last = nodes.last().map(|last| last.id.clone());
    ExportedChat {
        program: "claude",
        id: conversation.uuid,
        title: conversation.name,
        created: conversation.created_at.0,
        model: conversation.model,
        current: conversation.current_leaf_message_uuid.or(last),
        nodes,
        notes,
        ..ExportedChat::default()
    }
}

fn node(
    message: ClaudeMessage,
    assets: &Assets,
    notes: &mut Notes,
    reading: ReaderVersion,
) -> ExportedMessage {
    let mut node = ExportedMessage {
        id: message.uuid,
        role: match message.sender.as_str() {
            "human" => ExportedRole::User,
            sender => ExportedRole::parse(sender),
        },
        created: message.created_at.0,
        ..ExportedMessage::default()
    };
    let mut citations = Vec::new();
    let (mut has_text, mut calls) = (false, 0_usize);
    for mut block in message.content {
        citations.append(&mut block.citations);
        has_text |= block
            .text
            .as_deref()
            .is_some_and(|text| !text.trim().is_empty());
        match block.r#type.as_str() {
            "tool_use" => calls += 1,
            // The result of a call counts with it.
            "tool_result" if calls > 0 => {
                calls -= 1;
                continue;
            }
            "tool_result" if reading == ReaderVersion::Former => continue,
            _ => {}
        }
        read_block(&mut node, block, notes);
    }
    // Older exports have the text alone; in others it has a note for each part that is none.
    if reading == ReaderVersion::Former {
        if node.content.is_empty() {
            node.content.clone_from(&message.text);
        }
    } else if !has_text && message.text.contains(NOT_SUPPORTED) {
        append(
            &mut node.content,
            message.text.replace(NOT_SUPPORTED, "").trim(),
        );
    } else if !has_text {
        append(&mut node.content, &message.text);
    }
    let details = citations
        .iter()
        .filter_map(|citation| citation.get("details"));
    notes.sources += lost_links(details.chain(&citations), &node.content);
    for file in message.files {
        // An attachment whose text is there is named here as well.
        let has_text = message
            .attachments
            .iter()
            .any(|attached| !file.file_name.is_empty() && attached.file_name == file.file_name);
        if !has_text {
            attach(&mut node, &file, assets, notes);
        }
    }
    for attached in message.attachments.iter().rev() {
        let text = &attached.extracted_content;
        if !text.trim().is_empty() {
            let name = Some(attached.file_name.as_str()).filter(|name| !name.is_empty());
            node.put_first(assets, name, text);
        }
    }
    node
}

fn read_block(node: &mut ExportedMessage, block: ContentBlock, notes: &mut Notes) {
    match block.r#type.as_str() {
        "text" => append(&mut node.content, &block.text.unwrap_or_default()),
        "thinking" => append(&mut node.thinking, &block.thinking.unwrap_or_default()),
        // Calls of Claude's own tools: what they were called with and gave is not read.
        "tool_use" | "tool_result" => {
            notes.no_text += 1;
            append(&mut node.content, &bracket("tool", block.name.as_deref()));
        }
        "token_budget" | "flag" => {}
        other => {
            notes.no_text += 1;
            append(&mut node.content, &bracket(other, block.name.as_deref()));
        }
    }
}

fn attach(node: &mut ExportedMessage, file: &ClaudeFile, assets: &Assets, notes: &mut Notes) {
    let name = file.file_name.to_ascii_lowercase();
    let is_image = file.file_kind.as_deref() == Some("image")
        || [".png", ".jpg", ".jpeg", ".webp", ".gif"]
            .iter()
            .any(|end| name.ends_with(end));
    let attached = AttachedFile {
        names: &[&file.file_uuid, &file.file_name],
        title: Some(&file.file_name),
        what: if is_image { "image" } else { "file" },
    };
    node.attach(&attached, assets, notes);
}
