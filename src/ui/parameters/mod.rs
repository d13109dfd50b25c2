//! The parameters of the open chat: a dialog with a field for each, opened beside the model's name.

mod answer_format_field;
mod context_row;
mod other_parameters;
mod parameter_field;
mod parameter_list;
mod parameter_row;
mod parameters_button;
mod parameters_dialog;

pub use parameters_button::ParametersButton;
pub use parameters_dialog::ParametersDialog;
