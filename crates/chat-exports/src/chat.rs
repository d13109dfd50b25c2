//! A chat as other programs export it: messages that name their parents.

use super::assets::{Asset, AssetFound, Assets, ImageKey};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use serde_with::{DefaultOnError, apply};

/// Who wrote a message. Ids are derived from its number, which therefore never changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportedRole {
    /// The system prompt.
    System,
    /// The person. An unknown role is read as this one.
    #[default]
    User,
    /// The model.
    Assistant,
    /// The result of a tool.
    Tool,
}

impl ExportedRole {
    /// Parses a role by its usual name, ignoring case.
    pub(crate) fn parse(text: &str) -> Self {
        match text.to_ascii_lowercase().as_str() {
            "system" => Self::System,
            "assistant" => Self::Assistant,
            "tool" => Self::Tool,
            _ => Self::User,
        }
    }
}

/// How a message ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ExportedOutcome {
    /// It is complete.
    #[default]
    Complete,
    /// It reached a limit on its length.
    CutOff,
    /// The person stopped it.
    Stopped,
    /// It ended without being complete.
    Interrupted,
    /// An error ended it, in the words of the program.
    Failed(String),
}

/// Counts of what a reader leaves out of a chat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Messages that the program does not show either.
    pub hidden: usize,
    /// Parts of messages that are not text and were replaced by a note in brackets.
    pub no_text: usize,
    /// Sources of answers that are not links in their text: the export does not say where they are, or not which word they
    /// belong to.
    pub sources: usize,
    /// Images that are not in the export.
    pub images_absent: usize,
    /// Images that cannot be kept.
    pub images_refused: usize,
    /// Images beyond the most that a message may have.
    pub images_over: usize,
    /// Files, other than images, that are not in the export.
    pub files_absent: usize,
    /// Sound and films.
    pub recordings: usize,
    /// Files that are neither images nor text, or too long.
    pub other_files: usize,
}

impl Notes {
    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Notes) {
        self.hidden += other.hidden;
        self.no_text += other.no_text;
        self.sources += other.sources;
        self.images_absent += other.images_absent;
        self.images_refused += other.images_refused;
        self.images_over += other.images_over;
        self.files_absent += other.files_absent;
        self.recordings += other.recordings;
        self.other_files += other.other_files;
    }
}

/// How an export is read. A chat that an earlier version imported is known by what that version read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReaderVersion {
    /// With every word of its answers.
    #[default]
    Now,
    /// As versions did that left out sources, models and parts of answers.
    Former,
}

/// A chat of an export.
#[derive(Debug, Default)]
pub struct ExportedChat {
    /// How it was read.
    pub reading: ReaderVersion,
    /// A short name of the program, which never changes.
    pub program: &'static str,
    /// The chat's id in that program; derived from its content where it has none.
    pub id: String,
    /// Its title.
    pub title: Option<String>,
    /// When it was created, in milliseconds since 1970.
    pub created: Option<u64>,
    /// The model of answers that name none.
    pub model: Option<String>,
    /// Its system prompt.
    pub system: Option<String>,
    /// Its messages, as a tree in any order.
    pub nodes: Vec<ExportedMessage>,
    /// The last message of the branch that was shown.
    pub current: Option<String>,
    /// What was left out.
    pub notes: Notes,
}

/// A message of an export. One without content is a step of the program and no message.
#[derive(Debug, Default)]
pub struct ExportedMessage {
    /// Its id in the program; derived from its content where it has none.
    pub id: String,
    /// The id of the message before it.
    pub parent: Option<String>,
    /// The ids of its children, in order.
    pub children: Vec<String>,
    /// Who wrote it.
    pub role: ExportedRole,
    /// Its text, as Markdown.
    pub content: String,
    /// Its images.
    pub images: Vec<ImageKey>,
    /// What the model thought. A node with thinking and no content passes it on to the next answer.
    pub thinking: String,
    /// The model that answered.
    pub model: Option<String>,
    /// The tool whose result it is.
    pub tool: Option<String>,
    /// When it was written, in milliseconds since 1970.
    pub created: Option<u64>,
    /// How it ended.
    pub outcome: ExportedOutcome,
}

impl ExportedMessage {
    /// Adds a file that goes with the message, by the names that the other program has for it: an image becomes one of
    /// the message's, a text a part of its text. Of anything else, and of a file that is not there, only the kind and
    /// the name stay.
    pub(crate) fn attach(&mut self, file: &AttachedFile<'_>, assets: &Assets, notes: &mut Notes) {
        let (asset, title) = match assets.find(file.names) {
            AssetFound::Read(asset, title) => (Some(asset), Some(title)),
            // The chat is read again when the file is known.
            AssetFound::Wanted => return,
            AssetFound::Absent => (None, None),
        };
        let name = file.title.or(title).filter(|name| !name.is_empty());
        match asset {
            Some(Asset::Image(image)) if self.images.contains(image) => return,
            Some(Asset::Image(image)) if self.images.len() < assets.form.max_images => {
                self.images.push(*image);
                return;
            }
            Some(Asset::Text(text)) if self.content.len() + text.len() <= assets.form.max_text => {
                self.put_first(assets, name, text);
                return;
            }
            Some(Asset::Image(_)) => notes.images_over += 1,
            Some(Asset::ImageRefused) => notes.images_refused += 1,
            Some(Asset::Recording) => notes.recordings += 1,
            Some(Asset::Text(_) | Asset::Other) => notes.other_files += 1,
            None => match file.what {
                "image" => notes.images_absent += 1,
                "audio" | "video" => notes.recordings += 1,
                _ => notes.files_absent += 1,
            },
        }
        append(&mut self.content, &bracket(file.what, name));
    }

    /// Puts the text of a file before what was written.
    pub(crate) fn put_first(&mut self, assets: &Assets, name: Option<&str>, text: &str) {
        let block = (assets.form.file_block)(name.unwrap_or("file"), text);
        let written = std::mem::replace(&mut self.content, block);
        append(&mut self.content, &written);
    }
}

/// A file that a message points to.
pub struct AttachedFile<'a> {
    /// What the message calls it: ids and names, the surest first.
    pub names: &'a [&'a str],
    /// The name that is shown.
    pub title: Option<&'a str>,
    /// What it is: `image`, `file` and so on.
    pub what: &'a str,
}

/// A part of a message, or a file beside it: text, or an object.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum MessagePart {
    Text(String),
    Fields(PartFields),
    Other(IgnoredAny),
}

/// The fields of a part. ChatGPT calls its kind `content_type`, Open WebUI `type`.
#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct PartFields {
    pub text: Option<String>,
    pub content_type: Option<String>,
    pub r#type: Option<String>,
    pub name: Option<String>,
    pub asset_pointer: Option<String>,
}

impl MessagePart {
    pub fn into_fields(self) -> PartFields {
        match self {
            MessagePart::Text(text) => PartFields {
                text: Some(text),
                ..PartFields::default()
            },
            MessagePart::Fields(fields) => fields,
            MessagePart::Other(_) => PartFields::default(),
        }
    }
}

/// Reads a value as a type whose fields are read independently; a value that is not an object has none of
/// them.
pub fn read<T: DeserializeOwned + Default>(value: &Value) -> T {
    T::deserialize(value).unwrap_or_default()
}

/// A list field of an object; any other value is an empty list.
pub fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// A note in brackets that replaces a part that is not text. It contains only a short name of the part.
pub fn bracket(what: &str, name: Option<&str>) -> String {
    let plain = |text: &str| -> String {
        let kept = text
            .chars()
            .filter(|c| !c.is_control() && !matches!(c, '[' | ']'));
        kept.take(100).collect()
    };
    match name.map(plain).filter(|name| !name.trim().is_empty()) {
        Some(name) => format!("[{}: {name}]", plain(what)),
        None => format!("[{}]", plain(what)),
    }
}

/// Code as a block, behind a fence longer than any in the code.
pub fn code_block(language: &str, code: &str) -> String {
    let language = language.chars().filter(char::is_ascii_alphanumeric);
    let language: String = language.take(20).collect();
    let longest = code.split(|c| c != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or_default().max(2) + 1);
    format!("{fence}{language}\n{code}\n{fence}")
}

/// Appends a part on a line of its own.
pub fn append(text: &mut String, part: &str) {
    if !text.is_empty() && !part.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(part);
}
