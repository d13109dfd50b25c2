//! The parameters of the open chat: a dialog with a field for each, opened beside the model's name.

mod answer_format_field;
mod other_parameters;
mod parameter_field;
mod parameters_dialog;

pub use parameter_field::ParameterField;
pub use parameters_dialog::{ParametersDialog, parameters_command};
