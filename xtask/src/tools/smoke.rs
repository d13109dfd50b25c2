//! Firefox and WebKit, which only the smoke test needs.

use std::path::PathBuf;

use super::browser::named;
use super::packages;
use crate::place;

/// A browser of the smoke test.
pub struct SmokeBrowser {
    /// The browser's project in `end2end/smoke.config.ts`.
    pub project: &'static str,
    /// The environment variable that tells the tests its program.
    pub variable: &'static str,
    programs: &'static [&'static str],
    packages: &'static [&'static str],
    /// Whether the browser runs in a window and so needs a display.
    windowed: bool,
}

/// The browsers that the smoke test runs in.
pub const SMOKE_BROWSERS: [SmokeBrowser; 2] = [
    SmokeBrowser {
        project: "firefox",
        variable: "SASH_FIREFOX",
        programs: &["firefox-esr", "firefox"],
        packages: &["firefox-esr"],
        windowed: false,
    },
    SmokeBrowser {
        project: "webkit",
        variable: "SASH_WEBKIT_DRIVER",
        programs: &["WebKitWebDriver"],
        packages: &["webkit2gtk-driver", "xvfb"],
        windowed: true,
    },
];

impl SmokeBrowser {
    /// Finds the browser's program, or installs Debian's where installing is allowed. The error
    /// says why it is missing.
    pub fn program(&self) -> crate::Result<PathBuf> {
        if let Some(found) = self.find() {
            return Ok(found);
        }
        let packages = self.packages.join(" ");
        let missing = || {
            format!(
                "Debian, Ubuntu: sudo apt-get install {packages}; or name it in {}",
                self.variable
            )
        };
        packages::install(self.project, self.packages)
            .map_err(|why| format!("{why} {}", missing()))?;
        self.find().ok_or_else(missing)
    }

    fn find(&self) -> Option<PathBuf> {
        let screen = !self.windowed
            || place::on_path(&["Xvfb"]).is_some()
            || std::env::var_os("DISPLAY").is_some();
        let program = named(self.variable).or_else(|| place::on_path(self.programs))?;
        screen.then_some(program)
    }
}
