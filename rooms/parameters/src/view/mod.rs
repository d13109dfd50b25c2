//! Button, dialog, chip and settings section of the parameters.

mod answer_format_field;
mod format_chip;
mod other_parameters;
mod parameters_button;
mod parameters_dialog;
mod parameters_section;

pub use format_chip::FormatChip;
pub use parameters_button::ParametersButton;
pub use parameters_dialog::{ParametersDialog, parameters_command};
pub use parameters_section::{PARAMETERS, ParametersSection};
