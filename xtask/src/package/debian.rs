//! The Debian package, by cargo-deb. What is in it says `[package.metadata.deb]` in `Cargo.toml`.

use std::path::{Path, PathBuf};

use super::commit::CommitTime;
use super::target::Target;
use crate::{Result, exec, tools};

/// Packs the program that was built for a target, and returns the package.
pub fn package(target: &Target, commit: &CommitTime, folder: &Path) -> Result<PathBuf> {
    tools::cargo_deb()?;
    let told = exec::output(
        exec::cargo()
            // The build has stripped the program already.
            .args(["deb", "--no-build", "--no-strip", "--locked", "--quiet"])
            .args(["--package", "sash", "--target", target.triple(), "--output"])
            .arg(folder)
            .env("SOURCE_DATE_EPOCH", commit.seconds.to_string()),
    )?;
    let package = told.lines().last().map(PathBuf::from);
    package
        .filter(|package| package.is_file())
        .ok_or_else(|| format!("cargo-deb names no package: {told}"))
}
