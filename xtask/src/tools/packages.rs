//! System packages, where installing them is allowed.

use std::time::Instant;

use crate::{Result, exec, place};

/// Whether this runs as root.
pub(super) fn is_root() -> bool {
    exec::output(exec::command("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

/// Installs Debian packages, but only as root or in CI: elsewhere the person decides what is
/// installed on their machine.
pub(super) fn install(what: &str, packages: &[&str]) -> Result {
    let root = is_root();
    let ci = std::env::var_os("CI").is_some();
    if place::on_path(&["apt-get"]).is_none() || !(root || ci) {
        return Err(format!("{what} may not be installed here."));
    }
    println!("Installing {what} from the system's packages…");
    let since = Instant::now();
    let install = ["install", "--yes", "--quiet=2", "--no-install-recommends"];
    for arguments in [vec!["update", "--quiet=2"], [&install, packages].concat()] {
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
        exec::run(apt.args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))?;
    }
    println!("Installed {what} ({}).", exec::seconds(since));
    Ok(())
}
