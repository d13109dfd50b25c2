//! The prompt on its way to the model: how it is rendered, how its tokens are counted, and that
//! nothing is ever cut.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../common/mod.rs"]
mod common;

mod context;
mod estimate;
mod reading;
mod render;
mod sessions;
mod tokens;
