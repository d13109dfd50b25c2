//! Recall: which older messages go with a prompt, the choice of it, and what was recalled for a question.

mod choice;
mod draft_lines;
mod queue_lines;
mod recalled_note;
mod version_lines;

pub use choice::RecallChoice;
pub use draft_lines::RecallLines;
pub use queue_lines::QueueRecalls;
pub use recalled_note::RecalledNote;
pub use version_lines::VersionRecalls;
