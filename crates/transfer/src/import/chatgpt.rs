//! ChatGPT's `conversations.json`: a list of conversations, each a `mapping` of nodes by id. The format is
//! undocumented; this follows what exports contain.

use super::ImportNotes;
use super::assets::Assets;
use super::foreign::{
    self, AttachedFile, Foreign, ForeignNode, MessagePart, PartFields, append, bracket,
};
use super::times::Time;
use sash_chat::{Outcome, Role};
use serde::Deserialize;
use serde_json::Value;
use serde_with::{DefaultOnError, VecSkipError, apply};

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct Conversation {
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
    content: Option<ChatGptContent>,
    metadata: Metadata,
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

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct ChatGptContent {
    content_type: Option<String>,
    thoughts: Vec<Thought>,
    language: Option<String>,
    parts: Option<Vec<Option<MessagePart>>>,
    title: Option<String>,
    text: Option<String>,
    result: Option<String>,
    content: Option<String>,
}

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct Thought {
    summary: String,
    content: String,
}

/// Whether a value is a conversation.
pub fn is(value: &Value) -> bool {
    value.get("mapping").is_some_and(Value::is_object)
}

/// Reads a conversation.
pub fn read(value: &Value, assets: &Assets) -> Foreign {
    let conversation: Conversation = foreign::read(value);
    let mut notes = ImportNotes::default();
    let mapping = value.get("mapping").and_then(Value::as_object);
    let mapping = mapping.into_iter().flatten();
    let nodes: Vec<ForeignNode> = mapping
        .map(|(id, node)| read_node(id, foreign::read(node), assets, &mut notes))
        .collect();
    let id = conversation.conversation_id.or(conversation.id);
    Foreign {
        program: "chatgpt",
        id: id.unwrap_or_default(),
        title: conversation.title,
        created: conversation.create_time.0,
        model: conversation.default_model_slug,
        system: None,
        nodes,
        current: conversation.current_node,
        notes,
    }
}

fn read_node(id: &str, mapped: Mapped, assets: &Assets, notes: &mut ImportNotes) -> ForeignNode {
    let mut node = ForeignNode {
        id: id.to_owned(),
        parent: mapped.parent,
        children: mapped.children,
        ..ForeignNode::default()
    };
    if let Some(message) = mapped.message {
        read_message(&mut node, message, assets, notes);
    }
    node
}

fn read_message(
    node: &mut ForeignNode,
    message: ChatGptMessage,
    assets: &Assets,
    notes: &mut ImportNotes,
) {
    let ChatGptMessage {
        author, metadata, ..
    } = message;
    node.role = Role::parse(&author.role);
    node.created = message.create_time.0;
    let mut own = ImportNotes::default();
    let in_parts = message.content.as_ref().map(pointers).unwrap_or_default();
    if let Some(content) = message.content {
        read_content(node, content, assets, &mut own);
    }
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
        notes.hidden += own.hidden + usize::from(!node.content.trim().is_empty());
        node.content.clear();
        node.images.clear();
        node.thinking.clear();
        return;
    }
    notes.add(&own);
    match node.role {
        Role::Assistant => node.model = metadata.model_slug,
        Role::Tool => node.tool = author.name,
        Role::System | Role::User => {}
    }
    if node.role == Role::Assistant && !node.content.trim().is_empty() {
        node.outcome = match metadata.finish_details.r#type.as_deref() {
            Some("max_tokens") => Outcome::CutOff,
            Some("interrupted") => Outcome::Stopped,
            _ => Outcome::Complete,
        };
    }
}

/// The addresses of the files in the parts of a message.
fn pointers(content: &ChatGptContent) -> Vec<String> {
    let parts = content.parts.iter().flatten().flatten();
    let fields = parts.filter_map(|part| match part {
        MessagePart::Fields(fields) => fields.asset_pointer.clone(),
        _ => None,
    });
    fields.collect()
}

/// Reads a file that the person sent along, unless it is a part of the content.
fn read_attachment(
    node: &mut ForeignNode,
    file: &Attachment,
    in_parts: &[String],
    assets: &Assets,
    notes: &mut ImportNotes,
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

fn read_content(
    node: &mut ForeignNode,
    content: ChatGptContent,
    assets: &Assets,
    notes: &mut ImportNotes,
) {
    match content.content_type.as_deref().unwrap_or("text") {
        // The person's custom instructions and the model's memory of them: settings, not messages of this
        // chat.
        "user_editable_context" | "model_editable_context" => notes.hidden += 1,
        // A line such as "Thought for 12 seconds."
        "reasoning_recap" => {}
        "thoughts" => {
            for thought in content.thoughts {
                append(&mut node.thinking, &thought.summary);
                append(&mut node.thinking, &thought.content);
            }
        }
        "code" => {
            let code = content.text.unwrap_or_default();
            let language = content.language.filter(|l| l != "unknown");
            let language: String = language
                .unwrap_or_default()
                .chars()
                .filter(char::is_ascii_alphanumeric)
                .take(20)
                .collect();
            if !code.trim().is_empty() {
                let fence = fence(&code);
                node.content = format!("{fence}{language}\n{code}\n{fence}");
            }
        }
        _ => read_parts(node, content, assets, notes),
    }
}

/// Reads any other content type: the texts of its parts, and the name of each part that is not text.
fn read_parts(
    node: &mut ForeignNode,
    content: ChatGptContent,
    assets: &Assets,
    notes: &mut ImportNotes,
) {
    let has_parts = content.parts.is_some();
    for part in content.parts.into_iter().flatten().flatten() {
        let fields = part.into_fields();
        if let Some(words) = fields.text {
            append(&mut node.content, &words);
            continue;
        }
        read_part(node, &fields, assets, notes);
    }
    let texts = [content.title, content.text, content.result, content.content];
    for words in texts.iter().flatten() {
        append(&mut node.content, words);
    }
    let kind = content.content_type.as_deref().unwrap_or("text");
    if node.content.is_empty() && !has_parts && !matches!(kind, "text" | "multimodal_text") {
        notes.no_text += 1;
        append(&mut node.content, &bracket(kind, None));
    }
}

/// Reads a part that is not text: a file, or something that only its kind is known of.
fn read_part(
    node: &mut ForeignNode,
    fields: &PartFields,
    assets: &Assets,
    notes: &mut ImportNotes,
) {
    let kind = fields.content_type.as_deref().unwrap_or("part");
    let Some(pointer) = fields.asset_pointer.as_deref() else {
        match word(kind) {
            "audio" | "video" => notes.recordings += 1,
            _ => notes.no_text += 1,
        }
        append(
            &mut node.content,
            &bracket(word(kind), fields.name.as_deref()),
        );
        return;
    };
    let file = AttachedFile {
        names: &[pointer],
        title: fields.name.as_deref(),
        what: word(kind),
    };
    node.attach(&file, assets, notes);
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
