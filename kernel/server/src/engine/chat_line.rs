//! One line of an answer, whichever engine sent it.

use sash_chat::ToolCall;
use sash_wire::{DoneReason, Fault, LineDecoder, ReadingProgress, Usage};

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
    /// Set on the last line of an answer that broke off, or has parts that cannot be read.
    pub failed: Option<Fault>,
}

impl ChatLine {
    /// The last line of an answer that broke off.
    #[must_use]
    pub fn failed(fault: Fault) -> Self {
        Self {
            failed: Some(fault),
            ..Self::default()
        }
    }

    /// A line that has nothing but a fault as that fault.
    ///
    /// # Errors
    /// The fault.
    pub fn or_fault(mut self) -> Result<Option<Self>, Fault> {
        match self.failed.take() {
            Some(fault) if self == Self::default() => Err(fault),
            failed => Ok(Some(Self { failed, ..self })),
        }
    }
}

/// Parses the lines of one answer.
pub trait ChatParser: Send {
    /// Parses a line; `None` for one that adds nothing.
    ///
    /// # Errors
    /// The fault that ends the answer: the line is unreadable, or it is the engine's error.
    fn parse(&mut self, line: &[u8]) -> Result<Option<ChatLine>, Fault>;

    /// The last line of a stream that broke, or ended without one, as `fault` says: what was held back, and `done` if the
    /// answer was complete.
    fn finish(&mut self, fault: Fault) -> ChatLine {
        ChatLine::failed(fault)
    }

    /// Splits the stream into the lines that are parsed.
    fn decoder(&self) -> LineDecoder {
        LineDecoder::default()
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
