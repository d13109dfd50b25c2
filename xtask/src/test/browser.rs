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
const WASM: [&str; 6] = [
    "test",
    "--locked",
    "--profile",
    "wasm-dev",
    "--target",
    "wasm32-unknown-unknown",
];

/// Runs `#[wasm_bindgen_test]`: that of rooms in `tests/wasm` of the root, that of libraries in `kernel/view`,
/// `crates/markdown-view` and `crates/virtual-list`.
///
/// The other tests in `tests/` need the server and are not compiled for WASM. A plain `#[test]` of
/// a library is compiled here but runs only natively; one that needs a crate not available for
/// WASM has `cfg(not(target_arch = "wasm32"))`.
pub fn wasm() -> Result<Tally> {
    tools::CHROMIUM.path()?;
    let driver = tools::CHROMEDRIVER.path()?;
    tools::wasm_test_tools()?;
    let (root, libraries) = PACKAGES.split_at(1);
    let programs = [
        [root, &["--test", "wasm"]].concat(),
        [libraries, &["--lib"]].concat(),
    ];
    for program in &programs {
        context::building(|| exec::run(exec::cargo().args(WASM).args(program).arg("--no-run")))?;
    }
    let mut tally = Tally::default();
    for program in &programs {
        tally += counted(
            exec::cargo()
                .args(WASM)
                .args(program)
                .env("CHROMEDRIVER", &driver)
                // PATH may contain other drivers, which the runner would try too.
                .env_remove("GECKODRIVER")
                .env_remove("SAFARIDRIVER")
                .env("WASM_BINDGEN_TEST_TIMEOUT", "120"),
        )?;
    }
    Ok(tally)
}
