//! The results of the tools, as structured content. Times are those of RFC 3339, in UTC.

use super::memory::StoredChat;
use rmcp::ErrorData;
use rmcp::handler::server::tool::IntoCallToolResult;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock};
use rmcp::schemars::{self, JsonSchema, Schema};
use serde::Serialize;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// The result of `ask_question`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(transform = without_formats)]
pub struct AskResult {
    /// The answer.
    pub answer: String,
    /// The chat, to go on with.
    pub chat_id: String,
    /// The model that answered.
    pub model: String,
    /// Whether the answer reached a limit on its length and is not complete.
    pub cut_off: bool,
    /// How many messages of the chat the model read before the question.
    pub context_messages: usize,
    /// When the chat was created.
    pub created_at: String,
    /// When the chat's last answer was complete.
    pub last_activity_at: String,
}

impl IntoCallToolResult for AskResult {
    /// The answer as text comes first, so that a client without structured content shows it as it is; the chat follows in a
    /// text of its own.
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        let chat = format!("chat_id: {} (answered by {})", self.chat_id, self.model);
        let texts = [self.answer.clone(), chat];
        let structured = serde_json::to_value(self)
            .map_err(|_| ErrorData::internal_error("The answer cannot be written.", None))?;
        let mut result = CallToolResult::success(texts.map(ContentBlock::text).into());
        result.structured_content = Some(structured);
        Ok(result.into())
    }
}

/// A chat without its messages.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(transform = without_formats)]
pub struct ChatSummary {
    /// The chat's id.
    pub chat_id: String,
    /// The first question, shortened.
    title: String,
    /// The model that answers without another being named.
    pub model: String,
    /// The engine that has the model; absent for the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<String>,
    /// How many questions have an answer.
    exchanges: usize,
    /// When it was created.
    pub created_at: String,
    /// When its last answer was complete.
    pub last_activity_at: String,
}

impl From<&StoredChat> for ChatSummary {
    fn from(stored: &StoredChat) -> Self {
        let head = &stored.chat.head;
        Self {
            chat_id: head.id.to_string(),
            title: stored.chat.title(),
            model: head.model.clone().unwrap_or_default(),
            engine: head.engine.clone(),
            exchanges: stored.exchanges(),
            created_at: rfc3339(head.created),
            last_activity_at: rfc3339(stored.last_activity),
        }
    }
}

/// The result of `list_chats`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(transform = without_formats)]
pub struct ChatList {
    /// The chats, the one answered last first.
    pub chats: Vec<ChatSummary>,
    /// How many chats there are; more than are listed if a limit was reached.
    pub total: usize,
}

/// The result of `clear_chat`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(transform = without_formats)]
pub struct ClearResult {
    /// The id of the chat that was deleted.
    pub chat_id: String,
    /// How many questions with their answers it had.
    pub exchanges: usize,
}

/// The result of `clear_inactive_chats`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(transform = without_formats)]
pub struct ClearInactiveResult {
    /// How many chats were deleted.
    pub cleared: usize,
    /// How many chats are left.
    pub left: usize,
}

/// Removes `format` from the fields of a derived schema. Rust's widths of integers (`uint16`) are none of JSON Schema's
/// formats; the official TypeScript SDK warns of each.
pub fn without_formats(schema: &mut Schema) {
    let properties = schema.get_mut("properties");
    let properties = properties.and_then(|properties| properties.as_object_mut());
    for (_, property) in properties.into_iter().flatten() {
        if let Some(property) = property.as_object_mut() {
            property.remove("format");
        }
    }
}

/// A time in milliseconds since 1970 as `2026-11-21T17:50:03.021Z`.
pub fn rfc3339(ms: u64) -> String {
    let time = OffsetDateTime::from_unix_timestamp_nanos(i128::from(ms) * 1_000_000);
    let time = time.unwrap_or(OffsetDateTime::UNIX_EPOCH);
    time.format(&Rfc3339).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_rfc_3339() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (1_735_689_599_999, "2024-12-31T23:59:59.999Z"),
            (951_782_400_020, "2000-02-29T00:00:00.02Z"),
            (u64::MAX, "1970-01-01T00:00:00Z"),
        ] {
            assert_eq!(rfc3339(ms), text);
        }
    }
}
