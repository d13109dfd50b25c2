//! The parameters of the open chat, and those of all chats with a model. The chat itself keeps and sends them: this is where a
//! person sets them.
#![cfg(target_arch = "wasm32")]

mod view;

pub use view::{
    FormatChip, PARAMETERS, ParametersButton, ParametersDialog, ParametersSection,
    parameters_command,
};
