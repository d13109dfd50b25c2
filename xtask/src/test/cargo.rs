//! Test programs that cargo builds and runs.

use std::process::Command;

use super::tally::{LibTest, Tally};
use crate::{Result, exec};

/// Unit tests, integration tests and documentation examples on this machine.
pub fn native() -> Result<Tally> {
    // Cargo unifies features over a workspace, so code that fails without a feature is found only
    // by a separate build.
    let mut tally = counted(exec::cargo().args([
        "test",
        "--locked",
        "--package",
        "ollama-double",
        "--test",
        "without_control",
    ]))?;
    tally += counted(super::with_extent(exec::cargo().args([
        "test",
        "--locked",
        "--workspace",
        "--features",
        "ollama-double/program",
        "--no-fail-fast",
        "--",
        "--show-output",
    ])))?;
    Ok(tally)
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
        println!("FAILED: `{}`", exec::told(command));
        reader.tally += Tally::FAILED;
    }
    Ok(reader.tally)
}
