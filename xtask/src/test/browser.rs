//! The WASM tests: `tests/wasm_*.rs`, in headless Chromium.

use std::fs;

use super::cargo::counted;
use super::tally::Tally;
use crate::{Result, compress, exec, place, tools};

/// The tests that only a browser can run.
///
/// They are the `tests/wasm_*.rs`, and no others: unit tests inside the library run natively and may use
/// crates that do not compile for WASM. One that stood there with `#[wasm_bindgen_test]` would never run, so
/// that is a failure too.
pub fn wasm() -> Result<Tally> {
    let browser = tools::browser()?;
    tools::wasm_test_tools()?;
    let mut tally = nothing_misplaced()?;
    tally += counted(
        exec::cargo()
            .args([
                "test",
                "--locked",
                "--no-fail-fast",
                "--target",
                "wasm32-unknown-unknown",
            ])
            .args(["--test", "wasm_*"])
            .env("CHROMEDRIVER", browser.driver)
            // PATH may hold other drivers, which the runner would try too.
            .env_remove("GECKODRIVER")
            .env_remove("SAFARIDRIVER")
            .env("WASM_BINDGEN_TEST_TIMEOUT", "120"),
    )?;
    Ok(tally)
}

fn nothing_misplaced() -> Result<Tally> {
    for file in compress::files(&place::root().join("src"))? {
        let text = fs::read_to_string(&file).unwrap_or_default();
        if text.contains("wasm_bindgen_test") {
            return Err(format!(
                "{}: tests for the browser belong in tests/wasm_*.rs; here they would not run",
                file.display()
            ));
        }
    }
    Ok(Tally::default())
}
