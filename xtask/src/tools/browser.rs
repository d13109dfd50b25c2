//! Chromium and its driver, for the tests in a browser.

use std::path::PathBuf;
use std::time::Instant;

use crate::{Result, exec, place};

/// Where they are.
pub struct Browser {
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

/// Finds them, or installs Debian's where that may be done.
pub fn browser() -> Result<Browser> {
    if let Some(found) = find() {
        return Ok(found);
    }
    install()?;
    find().ok_or_else(|| MISSING.to_owned())
}

fn find() -> Option<Browser> {
    Some(Browser {
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

fn named(variable: &str) -> Option<PathBuf> {
    let file = PathBuf::from(std::env::var_os(variable)?);
    file.is_file().then_some(file)
}

/// Only as root or in CI: elsewhere the person decides what is installed on their machine.
fn install() -> Result {
    let root = exec::output(exec::command("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    let ci = std::env::var_os("CI").is_some();
    if place::on_path(&["apt-get"]).is_none() || !(root || ci) {
        return Err(MISSING.to_owned());
    }
    println!("Installing Chromium and its driver from the system's packages…");
    let since = Instant::now();
    for arguments in [
        &["update", "--quiet=2"][..],
        &[
            "install",
            "--yes",
            "--quiet=2",
            "--no-install-recommends",
            "chromium",
            "chromium-driver",
        ],
    ] {
        let mut apt = match root {
            true => exec::command("apt-get"),
            false => exec::command("sudo"),
        };
        if !root {
            apt.args([
                "--non-interactive",
                "--preserve-env=DEBIAN_FRONTEND",
                "apt-get",
            ]);
        }
        exec::run(apt.args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
            .map_err(|why| format!("{why}\n{MISSING}"))?;
    }
    println!("Chromium is there ({}).", exec::seconds(since));
    Ok(())
}
