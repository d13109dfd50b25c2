//! The edges, and what the room `highlight` paints, in a real browser: `cargo xtask test wasm`.

mod painting;
mod vectors;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
