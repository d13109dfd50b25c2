//! The parameters of the open chat: a dialog with a field for each, opened beside the model's name.

mod answer_format_field;
mod format_chip;
mod other_parameters;
mod parameter_field;
mod parameters_button;
mod parameters_dialog;
mod parameters_section;

pub use format_chip::FormatChip;
pub use parameter_field::ParameterField;
pub use parameters_button::ParametersButton;
pub use parameters_dialog::{ParametersDialog, parameters_command};
pub use parameters_section::ParametersSection;
