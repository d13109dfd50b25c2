//! The components: the page of models, pulls, and what helps where there is no engine, no model, or no memory for one.

mod delete_question;
mod installed_list;
mod loaded_models;
mod memory_button;
mod model_details;
mod model_row;
mod models_dialog;
mod ollama_panel;
mod picker_actions;
mod pull_dialog;
mod pull_row;
mod pull_section;
mod pulls_link;
mod remedies;
mod remembered_pulls;
mod words;

pub use models_dialog::{ModelsDialog, models_command};
pub use ollama_panel::OllamaPanel;
pub use picker_actions::picker_actions;
pub use pulls_link::PullsLink;
pub use remedies::{MessageMemory, PullMissing};
pub use remembered_pulls::remember_pulls;
