//! Reading ahead: a model reads the next prompt while it is written, so that its first word comes at once.
//!
//! [`ReadAhead`] is the store, `reads` what models have read; `server` has the way of a prompt that is only read, `view`
//! what the page says of it.

mod call;
mod parts;
mod reads;
mod request;
mod rules;
mod settings;
mod store;

#[cfg(not(target_arch = "wasm32"))]
mod server;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use parts::{PLACEHOLDER, PromptParts, answered, common_tokens};
pub use request::{READS_AHEAD, ReadEnd, ReadRequest, ReadResult};
#[cfg(not(target_arch = "wasm32"))]
pub use server::{ReadTurns, saying};
pub use settings::{ReadAheadSettings, ReadAheadSettingsStoreFields, ReadAheadTime};
pub use store::{ReadAhead, ReadProgress};
#[cfg(target_arch = "wasm32")]
pub use view::{ReadAheadChoice, ReadLine, ReadMark};

/// Gives the page the store.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel) {
    let call = sash_stores::edges::Call::new(call::read);
    leptos::prelude::provide_context(ReadAhead::new(kernel, call));
}

/// Adds the server function, with the turns of prompts and of what is read.
#[cfg(not(target_arch = "wasm32"))]
pub fn calls(calls: &mut sash_server::calls::Calls, turns: std::sync::Arc<ReadTurns>) {
    calls.provide(turns);
    calls.add::<call::Read>(sash_server::calls::Rules::UNSENT_PROMPT);
}
