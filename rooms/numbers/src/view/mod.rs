//! The page over the chat: tokens and speed by model, and the size of each chat.
//!
//! The plots are drawn here: `leptos-chartistry` sets `style` attributes, which the page's
//! Content-Security-Policy forbids, and the SVG of `plotters` is a string.

mod chat_sizes;
mod measure_plot;
mod model_numbers;
mod numbers_dialog;

pub use numbers_dialog::{NumbersDialog, numbers_command};
