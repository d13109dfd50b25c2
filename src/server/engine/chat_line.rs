//! One line of an answer, whichever engine sent it.

use sash_chat::ToolCall;
use sash_wire::{DoneReason, Fault, ReadingProgress, Usage};

/// What one line adds to an answer.
#[derive(Debug, Default, PartialEq)]
pub struct ChatLine {
    /// How far the prompt is read, from an engine that tells it.
    pub reading: Option<ReadingProgress>,
    /// The engine's id of the answer, if the thinking of this line can be ended.
    pub endable: Option<String>,
    /// The next part of the thinking; usually empty.
    pub thinking: String,
    /// The next part of the answer.
    pub content: String,
    /// Calls of tools; an engine sends them in one line or in several.
    pub calls: Vec<ToolCall>,
    /// How many more calls there are than an answer may have; they are not read.
    pub calls_left_out: usize,
    /// Set on the last line.
    pub done: Option<(DoneReason, Usage)>,
}

/// Parses the lines of one answer.
pub trait ChatParser: Send {
    /// Parses a line; `None` for one that adds nothing.
    ///
    /// # Errors
    /// The fault that ends the answer: the line is unreadable, or it is the engine's error.
    fn parse(&mut self, line: &[u8]) -> Result<Option<ChatLine>, Fault>;

    /// How the answer ended, if it was complete when its stream broke or ended without a last line.
    fn ended(&self) -> Option<(DoneReason, Usage)> {
        None
    }

    /// Whether the model's chat template opened the thinking, so that the answer has the closing tag alone. Known
    /// before the first line.
    fn begins_as_thinking(&self) -> bool {
        false
    }

    /// Whether the engine sends the headers at once and not with the first token.
    fn sends_headers_first(&self) -> bool {
        false
    }
}
