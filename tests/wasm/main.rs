//! Rooms in a real browser: what `highlight` paints, and the vectors that `recall` keeps. `cargo xtask test wasm`.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod painting;
mod vectors;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
