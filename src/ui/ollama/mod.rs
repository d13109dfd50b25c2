//! Help if Ollama is unreachable or has no model. Models are pulled here.

mod ollama_panel;
mod pull_dialog;
mod pull_fault;
mod pull_name_form;
mod pull_progress;

pub use ollama_panel::OllamaPanel;
pub use pull_fault::PullFault;
pub use pull_name_form::PullNameForm;
pub use pull_progress::PullProgress;
