//! The edges in a real browser: `cargo xtask test wasm`.

mod images;
mod storage;
