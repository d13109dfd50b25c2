//! The contents of ChatGPT's messages, by their type.

use super::assets::Assets;
use super::chat::{
    AttachedFile, ExportedMessage, MessagePart, Notes, PartFields, append, bracket, code_block,
};
use super::chatgpt_marks::Marks;
use serde::Deserialize;
use serde_json::Value;
use serde_with::{DefaultOnError, VecSkipError, apply};

/// The content of a message, with the fields of all its types.
#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ChatGptContent {
    content_type: Option<String>,
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    thoughts: Vec<Thought>,
    language: Option<String>,
    parts: Option<Vec<Option<MessagePart>>>,
    /// The name of an error.
    name: Option<String>,
    title: Option<String>,
    /// The page of a quote.
    url: Option<String>,
    text: Option<String>,
    result: Option<String>,
    summary: Option<String>,
    content: Option<String>,
}

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct Thought {
    summary: String,
    content: String,
    /// Its text in pieces, where there is no other.
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    chunks: Vec<String>,
}

impl ChatGptContent {
    /// Leaves what earlier versions of Sash read.
    pub fn into_former(mut self) -> Self {
        (self.name, self.url, self.summary) = (None, None, None);
        match self.content_type.as_deref() {
            Some("thoughts") => {
                (self.text, self.content) = (None, None);
                let thoughts = self.thoughts.iter_mut();
                thoughts.for_each(|thought| thought.chunks.clear());
            }
            Some("reasoning_recap") => (self.text, self.content) = (None, None),
            _ => {}
        }
        self
    }
}

/// The addresses of the files in the parts of a message.
pub fn pointers(content: &ChatGptContent) -> Vec<String> {
    let parts = content.parts.iter().flatten().flatten();
    let fields = parts.filter_map(|part| match part {
        MessagePart::Fields(fields) => fields.asset_pointer.clone(),
        _ => None,
    });
    fields.collect()
}

/// Reads a content into a node. `fields` is all of it.
pub fn read_content(
    node: &mut ExportedMessage,
    content: ChatGptContent,
    fields: &Value,
    assets: &Assets,
    notes: &mut Notes,
    marks: &mut Marks<'_>,
) {
    match content.content_type.as_deref().unwrap_or("text") {
        // The person's custom instructions and the model's memory of them: settings, not messages of this
        // chat.
        "user_editable_context" | "model_editable_context" => notes.hidden += 1,
        // A line such as "Thought for 12 seconds."
        "reasoning_recap" => {
            let recap = content.content.or(content.text).unwrap_or_default();
            if !recap.contains(|c: char| c.is_numeric()) {
                append(&mut node.thinking, &recap);
            }
        }
        "thoughts" => {
            for thought in content.thoughts {
                append(&mut node.thinking, &marks.resolve(&thought.summary));
                let text = match thought.content.is_empty() {
                    true => thought.chunks.concat(),
                    false => thought.content,
                };
                append(&mut node.thinking, &marks.resolve(&text));
            }
            let further = [content.text, content.content];
            for words in further.iter().flatten() {
                append(&mut node.thinking, &marks.resolve(words));
            }
        }
        "code" => {
            let code = content.text.unwrap_or_default();
            let language = content.language.filter(|l| l != "unknown");
            if !code.trim().is_empty() {
                node.content = code_block(language.as_deref().unwrap_or_default(), &code);
            }
        }
        _ => read_parts(node, content, fields, assets, notes, marks),
    }
}

/// Reads any other content type: the texts of its parts, and the name of each part that is not text.
fn read_parts(
    node: &mut ExportedMessage,
    content: ChatGptContent,
    fields: &Value,
    assets: &Assets,
    notes: &mut Notes,
    marks: &mut Marks<'_>,
) {
    let has_parts = content.parts.is_some();
    for part in content.parts.into_iter().flatten().flatten() {
        let fields = part.into_fields();
        if let Some(words) = fields.text {
            append(&mut node.content, &marks.resolve(&words));
            continue;
        }
        read_part(node, &fields, assets, notes);
    }
    let texts = [
        content.name,
        content.title,
        content.url,
        content.text,
        content.result,
        content.summary,
        content.content,
    ];
    for words in texts.iter().flatten() {
        append(&mut node.content, &marks.resolve(words));
    }
    let kind = content.content_type.as_deref().unwrap_or("text");
    let is_text = matches!(kind, "text" | "multimodal_text");
    let is_empty = node.content.is_empty() && !has_parts && !is_text;
    if is_empty || has_other_text(fields, kind) {
        notes.no_text += 1;
        append(&mut node.content, &bracket(kind, None));
    }
}

/// Whether a content has something to read in fields that are not read.
fn has_other_text(content: &Value, kind: &str) -> bool {
    const READ: [&str; 9] = [
        "content_type",
        "parts",
        "name",
        "title",
        "url",
        "text",
        "result",
        "summary",
        "content",
    ];
    // Kinds whose further fields only say where they are from.
    const KNOWN: [&str; 6] = [
        "text",
        "multimodal_text",
        "execution_output",
        "tether_quote",
        "tether_browsing_display",
        "system_error",
    ];
    let others = content.as_object().into_iter().flatten();
    let is_read = |value: &Value| value.is_string() || value.is_null();
    let mut others = others.filter(|(key, value)| match key.as_str() {
        "content_type" => false,
        "parts" => !value.is_array() && !value.is_null(),
        key if READ.contains(&key) => !is_read(value),
        _ => !KNOWN.contains(&kind),
    });
    others.any(|(_, value)| has_words(value))
}

fn has_words(value: &Value) -> bool {
    match value {
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(values) => values.iter().any(has_words),
        Value::Object(fields) => fields.values().any(has_words),
        _ => false,
    }
}

/// Reads a part that is not text: a file, or something that only its kind is known of.
fn read_part(node: &mut ExportedMessage, fields: &PartFields, assets: &Assets, notes: &mut Notes) {
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
