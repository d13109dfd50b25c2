//! Summaries at their place in the transcript, and the choice in the menu of rules.

mod choice;
mod note;

pub use choice::SummaryChoice;
pub use note::{SummaryNote, summary_place};
