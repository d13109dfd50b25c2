//! The tests that run as WASM in headless Chromium.

use super::cargo::counted;
use super::tally::Tally;
use crate::{Result, exec, tools};

/// Runs `#[wasm_bindgen_test]` in the library (under `src/ui` and `src/browser`) and in
/// `tests/wasm_*.rs`.
///
/// The other tests in `tests/` need the server and are not compiled for WASM. A plain `#[test]` of
/// the library is compiled here but runs only natively; one that needs a crate not available for
/// WASM has `cfg(not(target_arch = "wasm32"))`.
pub fn wasm() -> Result<Tally> {
    let browser = tools::browser()?;
    tools::wasm_test_tools()?;
    counted(
        exec::cargo()
            .args([
                "test",
                "--locked",
                "--no-fail-fast",
                "--target",
                "wasm32-unknown-unknown",
            ])
            .args(["--lib", "--test", "wasm_*"])
            .env("CHROMEDRIVER", browser.driver)
            // PATH may contain other drivers, which the runner would try too.
            .env_remove("GECKODRIVER")
            .env_remove("SAFARIDRIVER")
            .env("WASM_BINDGEN_TEST_TIMEOUT", "120"),
    )
}
