//! Tools from npm, in `end2end/node_modules`: wasm-opt, Playwright, axe, Puppeteer.

use std::fs;

use crate::{Result, exec, place};

/// Runs `npm ci`, unless the packages of the lock file are installed.
///
/// Install scripts are disabled, so that no downloaded code runs by itself. Playwright does not
/// download its browser either; see [`super::browser`].
pub fn packages() -> Result {
    let folder = place::end2end();
    let lock = folder.join("package-lock.json");
    let stamp = folder.join("node_modules/.sash");
    let wanted = fs::read(&lock).map_err(|e| format!("{} is not readable: {e}", lock.display()))?;
    if fs::read(&stamp).is_ok_and(|there| there == wanted) {
        return Ok(());
    }
    println!("Installing wasm-opt and Playwright from npm…");
    exec::run(
        exec::npm()
            .args([
                "ci",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--loglevel=error",
            ])
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
            .current_dir(&folder),
    )
    .map_err(|why| {
        format!("{why}\nNode.js 20 or later, with npm, is needed: https://nodejs.org")
    })?;
    fs::write(&stamp, wanted).map_err(|e| format!("{} cannot be written: {e}", stamp.display()))
}
