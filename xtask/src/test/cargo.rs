//! Test programs that cargo builds and runs.

use std::process::Command;

use super::tally::{LibTest, Tally};
use crate::{Result, exec};

/// What is built: all packages, so that their dependencies have the same features in every build,
/// and without examples and documentation, which have nothing to run.
pub const NATIVE: [&str; 6] = [
    "test",
    "--locked",
    "--workspace",
    "--lib",
    "--bins",
    "--tests",
];

/// Unit tests and integration tests on this machine.
pub fn native() -> Result<Tally> {
    super::building(|| exec::run(exec::cargo().args(NATIVE).arg("--no-run")))?;
    counted(super::with_extent(exec::cargo().args(NATIVE).args([
        "--no-fail-fast",
        "--",
        "--show-output",
    ])))
}

/// Runs `command` and counts libtest's results.
pub fn counted(command: &mut Command) -> Result<Tally> {
    let mut reader = LibTest::default();
    let succeeded = exec::lines(command, |line| {
        if reader.line(line) {
            println!("{line}");
        }
        if line.starts_with("test ") && line.ends_with("FAILED") {
            super::note(vec![line.to_owned()]);
        }
    })?;
    // The build failed, or a test program crashed before its summary; both count as a failure.
    if !succeeded && reader.tally.failed == 0 {
        println!("FAILED: `{}`", exec::display(command));
        reader.tally += Tally::FAILED;
    }
    Ok(reader.tally)
}
