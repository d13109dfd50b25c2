//! Help if Ollama is unreachable or has no model. Models are pulled here, and the token of LAN mode is
//! requested.

mod engine_unreachable;
mod look_again;
mod no_model;
mod ollama_panel;
mod ollama_section;
mod ollama_unreachable;
mod pull_bar;
mod pull_dialog;
mod pull_fault;
mod pull_form;
mod pull_name_form;
mod pull_progress;
mod start_steps;
mod token_form;

pub use ollama_panel::OllamaPanel;
pub use pull_fault::PullFault;
pub use pull_progress::PullProgress;
pub use token_form::TokenForm;
