//! The prompts that a person keeps: editing one, filling in the placeholders of one, and the list in the settings.

mod edit_dialog;
mod fill_dialog;
mod section;

pub use edit_dialog::PromptEditDialog;
pub use fill_dialog::FillDialog;
pub use section::PromptsSection;
