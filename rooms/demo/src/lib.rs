//! The demo, which answers where there is no engine: a model that is none, and tells which messages it was given.

#[cfg(not(target_arch = "wasm32"))]
mod server;
#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(not(target_arch = "wasm32"))]
pub use server::Demo;
#[cfg(target_arch = "wasm32")]
pub use view::DemoBanner;
