//! The Debian package, by cargo-deb. What is in it says `[package.metadata.deb]` in `Cargo.toml`.

use std::path::Path;

use super::commit::CommitTime;
use super::target::Target;
use crate::{Result, exec, tools};

/// Packs the program that was built for a target.
pub fn package(target: &Target, commit: &CommitTime, file: &Path) -> Result {
    tools::cargo_deb()?;
    exec::output(
        exec::cargo()
            // The build has stripped the program already.
            .args(["deb", "--no-build", "--no-strip", "--locked", "--quiet"])
            .args(["--package", "sash", "--target", target.triple(), "--output"])
            .arg(file)
            .env("SOURCE_DATE_EPOCH", commit.seconds.to_string()),
    )
    .map(drop)
}
