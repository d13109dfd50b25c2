//! Recall: what goes with a prompt by itself, the choice of it, and what was recalled for a question.

mod choice;
mod draft_lines;
mod recalled_note;

pub use choice::RecallChoice;
pub use draft_lines::RecallLines;
pub use recalled_note::RecalledNote;
