//! The prompts that a person keeps: editing one, filling in the placeholders of one, and the list in the settings.

mod aside_line;
mod edit_dialog;
mod fill_dialog;
mod section;
mod slash_list;

pub use aside_line::AsideLine;
pub use edit_dialog::PromptEditDialog;
pub use fill_dialog::FillDialog;
pub use section::PromptsSection;
pub use slash_list::SlashListbox;
