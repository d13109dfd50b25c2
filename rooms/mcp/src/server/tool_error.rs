//! Reasons why a tool has no result. The client gets a sentence as the result of the tool, marked as an error, so that the
//! model that called it can read what to do.

use rmcp::ErrorData;
use rmcp::handler::server::tool::IntoCallToolResult;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock};
use sash_chat::Id;
use sash_wire::Fault;
use std::fmt;

/// Why a tool has no result. The chat of a question that fails is as it was before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolError {
    /// What can go wrong with a prompt of the page, too.
    Fault(Fault),
    /// An answer broke off.
    BrokenAnswer {
        /// The reason.
        fault: Fault,
        /// The text that came before.
        text: String,
    },
    /// There is no chat with this id.
    UnknownChat,
    /// The chat answers a question now.
    ChatBusy,
    /// No model is named, and the engine has none that can chat.
    NoModel {
        /// The engine's name.
        engine: String,
        /// Whether models are installed with `ollama pull`.
        is_ollama: bool,
    },
    /// The model ended its answer without a word.
    EmptyAnswer,
    /// A number of hours below 0.
    InvalidHours,
    /// A number of chats to list that is none.
    InvalidLimit,
    /// As many questions wait as may.
    TooManyWaiting,
    /// Other calls return long exchanges, which go one at a time.
    LongExchangeBusy,
    /// The client cancelled the call. It reads no answer.
    Cancelled,
}

impl From<Fault> for ToolError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Their sentences are for the page, where a window can be made smaller.
            Self::Fault(Fault::TooLarge { bytes, limit, .. }) => write!(
                f,
                "The question with the last five exchanges has {bytes} bytes and Sash takes {limit}. Nothing was sent to the model. Shorten the question, or ask it without chat_id."
            ),
            Self::Fault(Fault::TooManyMessages { messages, limit }) => write!(
                f,
                "The question with the last five exchanges has {messages} messages and Sash takes {limit}. Nothing was sent to the model. Ask without chat_id, or start Sash with a larger --max-messages."
            ),
            Self::Fault(fault) | Self::BrokenAnswer { fault, .. } => fault.fmt(f),
            Self::UnknownChat => f.write_str(
                "There is no chat with this id: it was cleared, its last question was 24 hours ago, or Sash was started again since. list_chats says which there are; ask_question without chat_id begins a new one.",
            ),
            Self::ChatBusy => f.write_str(
                "This chat answers a question now. Wait for the answer or cancel the question, then clear the chat.",
            ),
            Self::NoModel { is_ollama: true, .. } => f.write_str(
                "Ollama has no model that can chat. Pull one, for example with: ollama pull llama3.2",
            ),
            Self::NoModel { engine, .. } => write!(
                f,
                "The engine “{engine}” lists no model that can chat. Start it with one, or name another engine.",
            ),
            Self::EmptyAnswer => f.write_str(
                "The model ended its answer without a word, so nothing was added to the chat. Ask again, or choose another model.",
            ),
            Self::InvalidLimit => f.write_str("'limit' must be a number from 1 to 1000."),
            Self::TooManyWaiting => f.write_str(
                "Too many questions of MCP clients wait for an answer. Ask again when one is answered.",
            ),
            Self::LongExchangeBusy => f.write_str(
                "Another very long exchange is being returned, and they go one at a time. Call again in a moment.",
            ),
            Self::InvalidHours => f.write_str("'hours' must be a number of hours, 0 or more."),
            Self::Cancelled => f.write_str("The question was cancelled."),
        }
    }
}

impl IntoCallToolResult for ToolError {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        let mut content = vec![ContentBlock::text(self.to_string())];
        if let Self::BrokenAnswer { text, .. } = &self
            && !text.is_empty()
        {
            let kept = "The chat is as it was before. This is what came of the answer:";
            content.push(ContentBlock::text(format!("{kept}\n\n{text}")));
        }
        Ok(CallToolResult::error(content).into())
    }
}

/// Reads the id of a chat.
///
/// # Errors
/// [`ToolError::UnknownChat`]
pub fn chat_id(text: &str) -> Result<Id, ToolError> {
    text.trim().parse().map_err(|_| ToolError::UnknownChat)
}
