//! The components: the page of models, pulls, and what helps where there is no engine, no model, or no memory for one.

mod delete_question;
mod ids;
mod installed_list;
mod loaded_models;
mod memory_button;
mod memory_remedies;
mod message_remedies;
mod model_details;
mod model_row;
mod models_dialog;
mod ollama_panel;
mod picker_actions;
mod pull_dialog;
mod pull_fault;
mod pull_name_form;
mod pull_progress;
mod pull_section;
mod pulls_link;
mod remembered_pulls;
mod words;

pub use message_remedies::{MessageMemory, PullMissing};
pub use models_dialog::{ModelsDialog, models_command};
pub use ollama_panel::OllamaPanel;
pub use picker_actions::picker_actions;
pub use pulls_link::PullsLink;
pub use remembered_pulls::remember_pulls;
