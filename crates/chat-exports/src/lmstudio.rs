//! LM Studio's `….conversation.json`: a list of messages, each with its versions, of which one is selected. Messages have
//! no ids. The format is undocumented; this follows what the files contain.

use super::assets::Assets;
use super::chat::{
    self, AttachedFile, ExportedChat, ExportedMessage, ExportedRole, Notes, append, bracket, list,
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
struct LmStudioConversation {
    name: Option<String>,
    created_at: Time,
    system_prompt: Option<String>,
    last_used_model: LmStudioModelName,
    per_chat_prediction_config: Config,
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    messages: Vec<Versions>,
}

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct LmStudioModelName {
    identifier: Option<String>,
    indexed_model_identifier: Option<String>,
}

#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct Config {
    #[serde_as(as = "DefaultOnError<VecSkipError<_>>")]
    fields: Vec<ConfigField>,
}

#[derive(Deserialize)]
struct ConfigField {
    key: String,
    value: Value,
}

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Versions {
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    versions: Vec<Version>,
    currently_selected: usize,
}

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Version {
    role: String,
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    content: Vec<ContentPart>,
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    steps: Vec<AnswerStep>,
}

/// A part of an answer: a text, what was thought, or something that its tools did.
#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct AnswerStep {
    r#type: String,
    style: StepStyle,
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    content: Vec<ContentPart>,
    gen_info: LmStudioModelName,
}

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct StepStyle {
    r#type: String,
}

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ContentPart {
    r#type: String,
    text: Option<String>,
    name: Option<String>,
    file_identifier: Option<String>,
    file_type: Option<String>,
}

/// Whether a value is a conversation.
pub fn is(value: &Value) -> bool {
    let first = list(value, "messages").first();
    first.is_some_and(|message| message.get("versions").is_some_and(Value::is_array))
}

/// Reads a conversation.
pub fn read(value: &Value, assets: &Assets) -> ExportedChat {
    let conversation: LmStudioConversation = chat::read(value);
    let mut notes = Notes::default();
    let mut nodes: Vec<ExportedMessage> = Vec::new();
    let mut selected: Option<String> = None;
    // Each id is derived from the conversation up to it, so that a message that is written anew becomes another branch
    // and not another chat.
    let mut said = hash(0, b"lm-studio");
    for message in conversation.messages {
        let parent = selected.clone();
        let mut next = said;
        let last = message.versions.len().saturating_sub(1);
        for (n, version) in message.versions.into_iter().enumerate() {
            let mut node = node(version, assets, &mut notes);
            let said = hash(said ^ node.role as u64, node.content.as_bytes());
            node.id = format!("{said:016x}");
            node.parent = parent.clone();
            node.created = conversation.created_at.0;
            // Two versions that say the same are one.
            if n == message.currently_selected.min(last) {
                (selected, next) = (Some(node.id.clone()), said);
            }
            if nodes.iter().all(|known| known.id != node.id) {
                nodes.push(node);
            }
        }
        said = next;
    }
    let config = conversation.per_chat_prediction_config.fields.into_iter();
    let mut of_config = config.filter(|field| field.key == "llm.prediction.systemPrompt");
    let system = of_config
        .next()
        .and_then(|field| field.value.as_str().map(str::to_owned));
    let written = |text: &String| !text.trim().is_empty();
    let model = conversation.last_used_model;
    ExportedChat {
        program: "lm-studio",
        // Made in the same millisecond is the same chat; a message of it may have been edited since.
        id: conversation
            .created_at
            .0
            .map(|at| at.to_string())
            .unwrap_or_default(),
        title: conversation.name,
        created: conversation.created_at.0,
        model: model.indexed_model_identifier.or(model.identifier),
        system: system
            .filter(written)
            .or(conversation.system_prompt.filter(written)),
        nodes,
        current: selected,
        notes,
        ..ExportedChat::default()
    }
}

fn node(version: Version, assets: &Assets, notes: &mut Notes) -> ExportedMessage {
    let role = ExportedRole::parse(&version.role);
    let mut node = ExportedMessage {
        role,
        ..ExportedMessage::default()
    };
    for step in version.steps {
        let is_thinking = step.style.r#type == "thinking";
        if role == ExportedRole::Assistant && node.model.is_none() {
            let model = step.gen_info;
            node.model = model.indexed_model_identifier.or(model.identifier);
        }
        match (step.r#type.as_str(), is_thinking) {
            ("contentBlock", true) => {
                for part in step.content {
                    append(&mut node.thinking, &part.text.unwrap_or_default());
                }
            }
            ("contentBlock", false) => add_parts(&mut node, step.content, assets, notes),
            // What a tool's window shows while it runs.
            _ => {}
        }
    }
    add_parts(&mut node, version.content, assets, notes);
    node
}

fn add_parts(
    node: &mut ExportedMessage,
    parts: Vec<ContentPart>,
    assets: &Assets,
    notes: &mut Notes,
) {
    let mut files = Vec::new();
    for part in parts {
        match part.r#type.as_str() {
            "text" => append(&mut node.content, &part.text.unwrap_or_default()),
            "file" => files.push(part),
            "toolCallRequest" => {
                notes.no_text += 1;
                append(&mut node.content, &bracket("tool", part.name.as_deref()));
            }
            "toolCallResult" => {}
            other => {
                notes.no_text += 1;
                append(&mut node.content, &bracket(other, part.name.as_deref()));
            }
        }
    }
    for file in files {
        let name = file.file_identifier.unwrap_or_default();
        let attached = AttachedFile {
            names: &[&name],
            title: Some(&name),
            what: match file.file_type.as_deref() {
                Some("image") => "image",
                _ => "file",
            },
        };
        node.attach(&attached, assets, notes);
    }
}
