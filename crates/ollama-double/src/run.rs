//! The input of one generation.

use super::call::{Call, ThinkField};
use super::completions::ThoughtControl;
use super::lease::Lease;
use super::models::ServedModel;
use super::options::Options;
use super::records::RecordHandle;
use super::render::RenderedPrompt;
use super::stream::StreamPiece;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::mpsc;

/// Error: the client has disconnected, or the answer has ended.
pub struct StreamClosed;

/// Everything one generation needs.
pub struct Run {
    /// The model.
    pub model: ServedModel,
    /// The request.
    pub call: Call,
    /// Its options.
    pub options: Options,
    /// The prompt, already truncated to fit.
    pub prompt: RenderedPrompt,
    /// Whether and how much to think.
    pub think: ThinkField,
    /// Whether `/api/generate` returns the tokens.
    pub context: bool,
    /// Whether the thinking was ended, where the API can do that.
    pub thought: Option<Arc<ThoughtControl>>,
    /// The use of the loaded model.
    pub lease: Lease,
    /// When the request arrived.
    pub arrived: Instant,
    /// Tokens per second; 0 means no delay.
    pub rate: f64,
    /// Prompt tokens per second; 0 means no delay.
    pub prompt_rate: f64,
    /// Prompt tokens of a batch.
    pub batch: usize,
    /// Whether the limit on the length of the answer is ignored.
    pub ignores_limits: bool,
    /// The request's record.
    pub record: RecordHandle,
    /// Where the pieces of the answer are sent.
    pub to: mpsc::Sender<StreamPiece>,
}
