//! The tests that run as WASM in headless Chromium.

use super::cargo::counted;
use super::context;
use super::tally::Tally;
use crate::{Result, exec, tools};

/// The page, and those of its libraries that have tests in the browser.
pub const PACKAGES: [&str; 4] = [
    "--package=sash",
    "--package=sash-markdown-view",
    "--package=sash-view",
    "--package=sash-virtual-list",
];

/// Their tests, in the profile of the page, so that they share its dependencies.
const WASM: [&str; 7] = [
    "test",
    "--locked",
    "--profile",
    "wasm-dev",
    "--target",
    "wasm32-unknown-unknown",
    "--lib",
];

/// Runs `#[wasm_bindgen_test]` in the libraries: under `src/browser`, in `kernel/view`, `crates/markdown-view` and
/// `crates/virtual-list`.
///
/// The tests in `tests/` need the server and are not compiled for WASM. A plain `#[test]` of
/// the library is compiled here but runs only natively; one that needs a crate not available for
/// WASM has `cfg(not(target_arch = "wasm32"))`.
pub fn wasm() -> Result<Tally> {
    tools::CHROMIUM.path()?;
    let driver = tools::CHROMEDRIVER.path()?;
    tools::wasm_test_tools()?;
    context::building(|| exec::run(exec::cargo().args(WASM).args(PACKAGES).arg("--no-run")))?;
    counted(
        exec::cargo()
            .args(WASM)
            .args(PACKAGES)
            .env("CHROMEDRIVER", driver)
            // PATH may contain other drivers, which the runner would try too.
            .env_remove("GECKODRIVER")
            .env_remove("SAFARIDRIVER")
            .env("WASM_BINDGEN_TEST_TIMEOUT", "120"),
    )
}
