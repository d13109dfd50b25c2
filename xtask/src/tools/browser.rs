//! The browsers of the tests and their drivers.

use std::path::PathBuf;

use super::packages;
use crate::{Result, place};

/// A program of a browser, which is the system's.
pub struct BrowserProgram {
    /// What it is called; of the smoke test, its project in `end2end/smoke.config.ts`.
    pub name: &'static str,
    /// The environment variable that names it, for the tests too.
    pub variable: &'static str,
    programs: &'static [&'static str],
    packages: &'static [&'static str],
    /// Whether it runs in a window and so needs a display.
    is_windowed: bool,
}

/// Chromium or Chrome.
pub const CHROMIUM: BrowserProgram = BrowserProgram {
    name: "chromium",
    variable: "SASH_CHROMIUM",
    programs: &[
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "chrome",
    ],
    packages: &["chromium", "chromium-driver"],
    is_windowed: false,
};

/// The chromedriver of the same version.
pub const CHROMEDRIVER: BrowserProgram = BrowserProgram {
    name: "chromedriver",
    variable: "CHROMEDRIVER",
    programs: &["chromedriver"],
    packages: &["chromium", "chromium-driver"],
    is_windowed: false,
};

/// The browsers that the smoke test runs in: Firefox and WebKit.
pub const SMOKE_BROWSERS: [BrowserProgram; 2] = [
    BrowserProgram {
        name: "firefox",
        variable: "SASH_FIREFOX",
        programs: &["firefox-esr", "firefox"],
        packages: &["firefox-esr"],
        is_windowed: false,
    },
    BrowserProgram {
        name: "webkit",
        variable: "SASH_WEBKIT_DRIVER",
        programs: &["WebKitWebDriver"],
        packages: &["webkit2gtk-driver", "xvfb"],
        is_windowed: true,
    },
];

/// Where macOS has Chrome.
const CHROME_OF_MAC: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

impl BrowserProgram {
    /// Finds the program, or installs Debian's where installing is allowed. The error says why it is missing.
    pub fn path(&self) -> Result<PathBuf> {
        if let Some(found) = self.find() {
            return Ok(found);
        }
        let missing = || {
            format!(
                "Debian, Ubuntu: sudo apt-get install {}; or name it in {}",
                self.packages.join(" "),
                self.variable
            )
        };
        packages::install(self.name, self.packages)
            .map_err(|why| format!("{why} {}", missing()))?;
        // The browser without a window, in which the end-to-end tests take less time. Not every system
        // has it as a package, and the tests do without it.
        let shell = ("Chromium's headless shell", ["chromium-headless-shell"]);
        if self.name == CHROMIUM.name
            && let Err(why) = packages::install(shell.0, &shell.1)
        {
            println!("{why}");
        }
        self.find().ok_or_else(missing)
    }

    fn find(&self) -> Option<PathBuf> {
        let has_screen = !self.is_windowed
            || place::on_path(&["Xvfb"]).is_some()
            || std::env::var_os("DISPLAY").is_some();
        let of_mac = (self.name == CHROMIUM.name).then(|| PathBuf::from(CHROME_OF_MAC));
        let named = std::env::var_os(self.variable).map(PathBuf::from);
        let program = named
            .filter(|file| file.is_file())
            .or_else(|| place::on_path(self.programs))
            .or(of_mac.filter(|file| file.is_file()))?;
        has_screen.then_some(program)
    }
}
