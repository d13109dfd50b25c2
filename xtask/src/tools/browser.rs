//! Chromium and its driver, for the browser tests.

use std::path::PathBuf;

use super::packages;
use crate::{Result, place};

/// The paths of the programs.
pub struct BrowserPrograms {
    /// Chromium or Chrome.
    pub chromium: PathBuf,
    /// The chromedriver of the same version.
    pub driver: PathBuf,
}

const MISSING: &str = "\
The tests in a browser need Chromium and its chromedriver.
  Debian, Ubuntu:  sudo apt-get install chromium chromium-driver
  elsewhere:       install Chrome or Chromium and the chromedriver of the same version,
                   or name them in SASH_CHROMIUM and CHROMEDRIVER";

/// Finds both programs, or installs Debian's where installing is allowed.
pub fn browser() -> Result<BrowserPrograms> {
    if let Some(found) = find() {
        return Ok(found);
    }
    packages::install("Chromium and its driver", &["chromium", "chromium-driver"])
        .map_err(|why| format!("{why}\n{MISSING}"))?;
    // The browser without a window, in which the end-to-end tests take less time. Not every system
    // has it as a package, and the tests do without it.
    if let Err(why) = packages::install("Chromium's headless shell", &["chromium-headless-shell"]) {
        println!("{why}");
    }
    find().ok_or_else(|| MISSING.to_owned())
}

fn find() -> Option<BrowserPrograms> {
    Some(BrowserPrograms {
        chromium: named("SASH_CHROMIUM").or_else(|| {
            let mac = PathBuf::from("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
            place::on_path(&[
                "chromium",
                "chromium-browser",
                "google-chrome",
                "google-chrome-stable",
                "chrome",
            ])
            .or(mac.is_file().then_some(mac))
        })?,
        driver: named("CHROMEDRIVER").or_else(|| place::on_path(&["chromedriver"]))?,
    })
}

/// The program that an environment variable names.
pub(super) fn named(variable: &str) -> Option<PathBuf> {
    let file = PathBuf::from(std::env::var_os(variable)?);
    file.is_file().then_some(file)
}
