//! What makes and boots a Debian of its own.

use super::packages;
use crate::{Result, place};

/// The programs, and the packages that have them.
const PROGRAMS: [(&str, &str); 3] = [
    ("mmdebstrap", "mmdebstrap"),
    ("systemd-nspawn", "systemd-container"),
    ("nsenter", "util-linux"),
];

/// Installs mmdebstrap and systemd-nspawn where that is allowed. The error says why there is no Debian to be had here.
pub fn debian_machine() -> Result {
    if !packages::is_root() {
        return Err("only root can boot one.".into());
    }
    let is_missing = |(program, _): &&(&str, &str)| place::on_path(&[*program]).is_none();
    let missing: Vec<&str> = PROGRAMS
        .iter()
        .filter(is_missing)
        .map(|(_, package)| *package)
        .collect();
    match missing.as_slice() {
        [] => Ok(()),
        missing => packages::install("what boots a Debian", missing),
    }
}
