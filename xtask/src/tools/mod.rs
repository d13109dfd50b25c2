//! Set-up: each tool in an exact version, fetched or built once, inside the workspace.

mod archive;
mod browser;
mod debian;
mod musl;
mod npm;
mod packages;
mod pins;
mod rust;

pub use browser::{CHROMEDRIVER, CHROMIUM, SMOKE_BROWSERS};
pub use debian::debian_machine;
pub use musl::musl_compiler;
pub use npm::packages as npm_packages;
#[cfg(test)]
use rust::version_in;
pub use rust::{cargo_about, cargo_deb, remove_build_folder, target, wasm_target};

use crate::Result;

/// The version of Trunk.
pub const TRUNK: &str = pins::TRUNK.version;

/// Installs the tools that build the client: the WASM target, wasm-bindgen, Trunk, esbuild and
/// wasm-opt.
pub fn client_tools() -> Result {
    rust::wasm_target()?;
    rust::wasm_bindgen()?;
    rust::trunk()?;
    rust::remove_build_folder();
    npm::packages()
}

/// Installs the tools of the WASM tests, except the browser: the WASM target and the test runner.
pub fn wasm_test_tools() -> Result {
    rust::wasm_target()?;
    rust::wasm_bindgen()
}
