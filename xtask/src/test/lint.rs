//! Checks without a test program: formatting, lints, licences.

use super::browser::PACKAGES;
use super::tally::Tally;
use crate::modules::{ROOMS, entries};
use crate::{Result, exec, place, tools};

/// rustfmt.
pub fn format() -> Result {
    exec::run(exec::cargo().args(["fmt", "--all", "--check"]))
}

/// clippy over everything that is compiled for this machine.
pub fn clippy_native() -> Result {
    clippy(&["--workspace", "--all-targets"])
}

/// clippy over the client and its tests.
pub fn clippy_wasm() -> Result {
    // A toolchain that was there before the clone need not have the target that `rust-toolchain.toml` lists.
    tools::wasm_target()?;
    // In the profile of the page: the macros that both need are compiled once.
    let targets = [
        "--profile=wasm-dev",
        "--target=wasm32-unknown-unknown",
        "--lib",
    ];
    let with_tests = ["--bins", "--tests"];
    clippy(&[&targets[..], &with_tests, &PACKAGES].concat())?;
    // Tests of rooms are native.
    let rooms = entries(&place::root().join(ROOMS))?;
    let rooms = rooms.iter().filter_map(|room| room.file_name());
    let rooms: Vec<_> = rooms
        .map(|room| format!("--package=sash-room-{}", room.to_string_lossy()))
        .collect();
    let rooms: Vec<&str> = rooms.iter().map(String::as_str).collect();
    clippy(&[&targets[..], &rooms].concat())
}

/// Runs cargo-deny with `deny.toml`, if it is installed. The check of advisories is left out, because it
/// needs the network.
pub fn supply_chain() -> Result<Tally> {
    if place::on_path(&["cargo-deny"]).is_none() {
        println!("skipped: cargo-deny is not installed");
        return Ok(Tally::SKIPPED);
    }
    exec::run(exec::cargo().args(["deny", "--offline", "check", "bans", "licenses", "sources"]))?;
    Ok(Tally::PASSED)
}

fn clippy(targets: &[&str]) -> Result {
    exec::run(
        exec::cargo()
            .args(["clippy", "--quiet", "--locked"])
            .args(targets)
            .args(["--", "-D", "warnings"]),
    )
}
