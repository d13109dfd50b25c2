//! Addresses that fill in a prompt and a model in a new chat: `/?q=…&model=…`.

mod fill;
mod query;

#[cfg(target_arch = "wasm32")]
mod address;

#[cfg(test)]
mod tests;

#[cfg(target_arch = "wasm32")]
pub use address::fill_from_address;
pub use fill::fill;
pub use query::FillQuery;
