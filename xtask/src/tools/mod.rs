//! Set-up: each tool in an exact version, built or installed once, inside the workspace.

mod browser;
mod npm;
mod packages;
mod rust;
mod smoke;

pub use browser::browser;
pub use smoke::SMOKE_BROWSERS;

use crate::Result;

/// Trunk 0.22 needs a newer Rust than ours.
pub const TRUNK: &str = "0.21.14";

/// Installs the tools that build the client: the WASM target, Trunk, wasm-bindgen and wasm-opt.
pub fn client_tools() -> Result {
    rust::wasm_target()?;
    rust::trunk()?;
    rust::wasm_bindgen()?;
    npm::packages()
}

/// Installs the tools of the WASM tests, except the browser: the WASM target and the test runner.
pub fn wasm_test_tools() -> Result {
    rust::wasm_target()?;
    rust::wasm_bindgen()
}
