//! Addresses that fill in a prompt and a model in a new chat: `/?q=…&model=…`.

mod prefill;
mod store;

#[cfg(target_arch = "wasm32")]
mod address;

#[cfg(test)]
mod tests;

#[cfg(target_arch = "wasm32")]
pub use address::fill_in;
pub use prefill::{MAX_PREFILL, Prefill};
pub use store::Prefills;
