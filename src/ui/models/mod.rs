//! The models: what is installed and loaded, pulls, and the details of one model. [`ModelsPage`] needs
//! nothing around it; [`ModelsDialog`] shows it over the chat.

mod column_header;
mod delete_question;
mod details_text;
mod ids;
mod installed_list;
mod loaded_model;
mod loaded_models;
mod memory_button;
mod model_details;
mod model_row;
mod models_dialog;
mod models_page;
mod problem_note;
mod pull_name_field;
mod pull_row;
mod pull_section;
mod words;

pub use models_dialog::ModelsDialog;
