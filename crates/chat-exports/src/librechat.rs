//! LibreChat's export of a conversation: its messages in a list, or each with its answers as `children`, one within the
//! other. (See its `client/src/hooks/Conversations/useExportConversation.ts`.)

use super::assets::Assets;
use super::chat::{
    self, AttachedFile, ExportedChat, ExportedMessage, ExportedOutcome, ExportedRole, Notes,
    ReaderVersion, append, bracket, list,
};
use super::librechat_text::{split_thought, without_anchors};
use super::times::Time;
use serde::Deserialize;
use serde_json::Value;
use serde_with::{DefaultOnError, VecSkipError, apply};

/// The parent that the first messages of a conversation name.
const NO_PARENT: &str = "00000000-0000-0000-0000-000000000000";
/// By these a text is known that may be such a conversation.
const MARKS: [&str; 3] = ["\"conversationId\"", "\"messageId\"", "\"children\""];

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct LibreChatConversation {
    conversation_id: String,
    title: Option<String>,
    options: ChatOptions,
}

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ChatOptions {
    model: Option<String>,
    prompt_prefix: Option<String>,
    system: Option<String>,
}

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct LibreChatMessage {
    message_id: String,
    parent_message_id: Option<String>,
    is_created_by_user: bool,
    text: String,
    model: Option<String>,
    created_at: Time,
    error: bool,
    unfinished: bool,
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    content: Vec<ContentPart>,
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    files: Vec<LibreChatFile>,
}

/// A part of an answer.
#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct ContentPart {
    r#type: String,
    text: Option<PartText>,
    think: Option<PartText>,
    error: Option<String>,
    tool_call: LibreChatToolCall,
}

/// The text of a part: a string, or an object around one.
#[derive(Deserialize)]
#[serde(untagged)]
enum PartText {
    Text(String),
    Fields { value: String },
}

impl PartText {
    fn into_text(self) -> String {
        match self {
            Self::Text(text) | Self::Fields { value: text } => text,
        }
    }
}

#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct LibreChatToolCall {
    name: Option<String>,
}

/// A file that is only named.
#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct LibreChatFile {
    file_id: String,
    filename: String,
    r#type: String,
}

/// Whether a value is a conversation.
pub fn is(value: &Value) -> bool {
    let messages = value.get("messages").or_else(|| value.get("messagesTree"));
    value.get("conversationId").is_some_and(Value::is_string)
        && messages.is_some_and(Value::is_array)
}

/// Reads a text in which messages are within each other, deeper than a JSON parser goes, as a conversation with a list of
/// messages. `None` if it is none.
pub fn flatten(text: &str) -> Option<Value> {
    if !MARKS.iter().all(|mark| text.contains(mark)) {
        return None;
    }
    let mut messages = Vec::new();
    // The text so far without the messages that are complete, and where each open object begins in it, with whether it is
    // a message.
    let mut rest = String::new();
    let mut open: Vec<(usize, bool)> = Vec::new();
    let (mut string, mut is_escaped) = (None, false);
    let mut done = 0;
    for (at, byte) in text.bytes().enumerate() {
        match (byte, string) {
            _ if is_escaped => is_escaped = false,
            (b'\\', Some(_)) => is_escaped = true,
            (b'"', None) => string = Some(at),
            (b'"', Some(from)) => {
                string = None;
                if text.get(from..=at) == Some("\"messageId\"")
                    && let Some((_, is_message)) = open.last_mut()
                {
                    *is_message = true;
                }
            }
            (b'{', None) => {
                rest.push_str(text.get(done..at)?);
                done = at;
                open.push((rest.len(), false));
            }
            (b'}', None) => {
                rest.push_str(text.get(done..=at)?);
                done = at + 1;
                let (start, is_message) = open.pop()?;
                if is_message {
                    let message = serde_json::from_str::<Value>(rest.get(start..)?);
                    messages.extend(message.ok());
                    rest.truncate(start);
                    rest.push_str("null");
                }
            }
            _ => {}
        }
    }
    rest.push_str(text.get(done..)?);
    let mut conversation: Value = serde_json::from_str(&rest).ok()?;
    let fields = conversation.as_object_mut()?;
    fields.remove("messagesTree");
    // A message comes after those within it.
    messages.reverse();
    fields.insert("messages".to_owned(), Value::Array(messages));
    is(&conversation).then_some(conversation)
}

/// Reads a conversation.
pub fn read(value: &Value, assets: &Assets, reading: ReaderVersion) -> ExportedChat {
    let conversation: LibreChatConversation = chat::read(value);
    let mut notes = Notes::default();
    let mut messages: Vec<LibreChatMessage> = Vec::new();
    let mut open: Vec<&Value> = list(value, "messagesTree").iter().rev().collect();
    open.extend(list(value, "messages").iter().rev());
    while let Some(message) = open.pop() {
        messages.push(chat::read(message));
        open.extend(list(message, "children").iter().rev());
    }
    // The branch that was shown is not named: the message that was written last is at its end.
    let newest = messages
        .iter()
        .filter(|message| message.created_at.0.is_some())
        .max_by_key(|message| message.created_at.0);
    let current = newest.or(messages.last()).map(|m| m.message_id.clone());
    let options = conversation.options;
    let nodes = messages
        .into_iter()
        .map(|message| node(message, assets, &mut notes, reading))
        .collect();
    ExportedChat {
        program: "librechat",
        id: conversation.conversation_id,
        title: conversation.title,
        model: options.model,
        system: options.prompt_prefix.or(options.system),
        nodes,
        current,
        notes,
        ..ExportedChat::default()
    }
}

fn node(
    message: LibreChatMessage,
    assets: &Assets,
    notes: &mut Notes,
    reading: ReaderVersion,
) -> ExportedMessage {
    let role = match message.is_created_by_user {
        true => ExportedRole::User,
        false => ExportedRole::Assistant,
    };
    let mut node = ExportedMessage {
        id: message.message_id,
        parent: message.parent_message_id.filter(|id| id != NO_PARENT),
        role,
        model: message.model.filter(|_| role == ExportedRole::Assistant),
        created: message.created_at.0,
        ..ExportedMessage::default()
    };
    let mut why = None;
    let mut has_text = false;
    for part in message.content {
        let text = part.text.map(PartText::into_text);
        match part.r#type.as_str() {
            "text" => {
                let text = text.unwrap_or_default();
                has_text |= !text.trim().is_empty();
                append(&mut node.content, &text);
            }
            "think" => {
                let think = part.think.map(PartText::into_text);
                append(&mut node.thinking, &think.unwrap_or_default());
            }
            "error" => why = part.error.or(text),
            "tool_call" => {
                notes.no_text += 1;
                let name = part.tool_call.name;
                append(&mut node.content, &bracket("tool", name.as_deref()));
            }
            other => {
                notes.no_text += 1;
                append(&mut node.content, &bracket(other, None));
            }
        }
    }
    let said = Said {
        text: &message.text,
        has_parts: has_text,
        is_failed: message.error,
        why,
        is_cut: message.unfinished && role == ExportedRole::Assistant,
    };
    match reading {
        ReaderVersion::Now => read_text(&mut node, said, notes),
        ReaderVersion::Former => read_former_text(&mut node, said),
    }
    for file in message.files {
        let attached = AttachedFile {
            names: &[&file.file_id, &file.filename],
            title: Some(&file.filename),
            what: match file.r#type.starts_with("image") {
                true => "image",
                false => "file",
            },
        };
        node.attach(&attached, assets, notes);
    }
    node
}

/// What a message has beside its parts.
struct Said<'m> {
    text: &'m str,
    /// Whether a part is text.
    has_parts: bool,
    is_failed: bool,
    why: Option<String>,
    is_cut: bool,
}

fn read_text(node: &mut ExportedMessage, said: Said<'_>, notes: &mut Notes) {
    let (thought, text) = match node.role {
        ExportedRole::Assistant => split_thought(said.text),
        _ => ("", said.text),
    };
    if !node.thinking.contains(thought) {
        append(&mut node.thinking, thought);
    }
    // Parts that are no text stand beside it; what was thought may be there again.
    let is_thought = text.split_whitespace().eq(node.thinking.split_whitespace());
    if !said.has_parts && !is_thought && !text.trim().is_empty() {
        append(&mut node.content, text);
    }
    let (content, anchors) = without_anchors(&node.content);
    if node.role == ExportedRole::Assistant {
        node.content = content;
        notes.sources += anchors;
    }
    node.outcome = match (said.is_failed, said.why) {
        (_, Some(why)) => ExportedOutcome::Failed(why),
        (true, None) => ExportedOutcome::Failed(std::mem::take(&mut node.content)),
        (false, None) if said.is_cut => ExportedOutcome::Interrupted,
        (false, None) => ExportedOutcome::Complete,
    };
}

/// Reads the text as earlier versions of Sash did.
fn read_former_text(node: &mut ExportedMessage, said: Said<'_>) {
    if node.content.is_empty() && node.thinking.is_empty() {
        said.text.clone_into(&mut node.content);
    }
    node.outcome = match said.is_failed {
        true => {
            let text = std::mem::take(&mut node.content);
            ExportedOutcome::Failed(said.why.unwrap_or(text))
        }
        false if said.is_cut => ExportedOutcome::Interrupted,
        false => ExportedOutcome::Complete,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_within_each_other_are_read_however_deep_they_are() {
        let depth = 3000;
        let mut text = r#"{"conversationId":"c","options":{"model":"m"},"messages":["#.to_owned();
        for n in 0..depth {
            text += &format!(
                r#"{{"messageId":"{n}","text":"{{ \"messageId\" }} \\","content":[{{"type":"text","text":"{n}"}}],"children":["#
            );
        }
        text += &"]}".repeat(depth);
        text += "]}";
        assert!(serde_json::from_str::<Value>(&text).is_err());
        let flat = flatten(&text).unwrap();
        assert_eq!(list(&flat, "messages").len(), depth);
        assert_eq!(flat["messages"][0]["messageId"], "0");
        assert_eq!(flat["messages"][7]["content"][0]["text"], "7");
        assert_eq!(flat["options"]["model"], "m");
        // What is in each other without being a message costs no more than its length.
        let nested = format!(
            "{}{}\"conversationId\"\"children\"",
            "{\"messageIds\":".repeat(300_000),
            "}".repeat(300_000)
        );
        assert_eq!(flatten(&format!("{nested}\"messageId\"")), None);
        for broken in [
            "",
            "{",
            "}",
            "}}}",
            "\"messageId\"\"children\"\"conversationId\"{}}",
        ] {
            assert_eq!(flatten(broken), None);
        }
    }
}
