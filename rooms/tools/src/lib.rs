//! Tools: which ones a chat has, what the model calls, who answers it.
//!
//! [`Tools`] is the store; `view` has the dialog, and calls and results in the transcript; the calculator is a child process of
//! the server.

mod call;
mod read_file;
mod request;
mod store;

#[cfg(not(target_arch = "wasm32"))]
mod server;
#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use request::{CalculateRequest, CalculationResult};
#[cfg(not(target_arch = "wasm32"))]
pub use server::{Calculation, child};
pub use store::Tools;
#[cfg(target_arch = "wasm32")]
pub use view::{ToolParts, ToolsButton, ToolsDialog, tools_command};

/// Gives the page the store.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel) {
    let calculate = sash_stores::edges::Call::new(call::calculate);
    leptos::prelude::provide_context(Tools::new(kernel, calculate));
}

/// Adds the server function, within these limits.
#[cfg(not(target_arch = "wasm32"))]
pub fn calls(calls: &mut sash_server::calls::Calls, limits: Calculation) {
    calls.provide(std::sync::Arc::new(server::Calculator::new(limits)));
    calls.add::<call::Calculate>(sash_server::calls::Rules::NONE);
}
