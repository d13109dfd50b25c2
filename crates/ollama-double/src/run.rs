//! What one generation is made from.

use super::call::Call;
use super::lease::Lease;
use super::models::Model;
use super::options::Options;
use super::records::Note;
use super::render::Prompt;
use super::stream::Piece;
use std::time::Instant;
use tokio::sync::mpsc;

/// The client is gone, or the answer is over.
pub struct Over;

/// Everything one generation needs.
pub struct Run {
    /// The model.
    pub model: Model,
    /// The request.
    pub call: Call,
    /// Its options.
    pub options: Options,
    /// The prompt, already fitted.
    pub prompt: Prompt,
    /// Whether to think.
    pub think: bool,
    /// Whether `/api/generate` wants the tokens back.
    pub context: bool,
    /// The use of the loaded model.
    pub lease: Lease,
    /// When the request came.
    pub arrived: Instant,
    /// Tokens a second; 0 is as fast as it goes.
    pub rate: f64,
    /// Prompt tokens a second; 0 is no time at all.
    pub prompt_rate: f64,
    /// The request's record.
    pub note: Note,
    /// Where the pieces go.
    pub to: mpsc::Sender<Piece>,
}
