//! The models: what is installed and loaded, pulls, and the details of one model, in a page over the chat.

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
mod picker_actions;
mod pull_section;
mod pulls_link;
mod remembered_pulls;
mod words;

pub use memory_remedies::MemoryRemedies;
pub use message_remedies::{MessageMemory, PullMissing};
pub use models_dialog::{ModelsDialog, models_command};
pub use picker_actions::picker_actions;
pub use pulls_link::PullsLink;
pub use remembered_pulls::remember_pulls;
