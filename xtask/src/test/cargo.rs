//! Test programs that cargo builds and runs.

use std::process::Command;

use super::context;
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
    // The release's allocator, whose test is part of `--all`.
    let more: &[&str] = match context::is_exhaustive() {
        true => &["--features", "sash/jemalloc"],
        false => &[],
    };
    context::building(|| exec::run(exec::cargo().args(NATIVE).args(more).arg("--no-run")))?;
    counted(
        context::with_extent(exec::cargo().args(NATIVE).args(more))
            .args(["--no-fail-fast", "--", "--show-output"])
            .env("RUST_TEST_THREADS", threads()),
    )
}

/// The number of tests that run side by side. Those of the server spend most of their time waiting, so
/// a thread for each processor would leave the machine idle.
pub fn threads() -> String {
    let processors = std::thread::available_parallelism().map_or(2, usize::from);
    (4 * processors).to_string()
}

/// Runs `command` and counts libtest's results.
pub fn counted(command: &mut Command) -> Result<Tally> {
    let mut reader = LibTest::default();
    let succeeded = exec::lines(command, |line| {
        if reader.line(line) {
            println!("{line}");
        }
        if line.starts_with("test ") && line.ends_with("FAILED") {
            context::note(vec![line.to_owned()]);
        }
    })?;
    // The build failed, or a test program crashed before its summary; both count as a failure.
    if !succeeded && reader.tally.failed == 0 {
        println!("FAILED: `{}`", exec::display(command));
        reader.tally += Tally::FAILED;
    }
    Ok(reader.tally)
}
