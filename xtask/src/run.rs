//! `cargo xtask run`: from a fresh clone to a running Sash.

use crate::{Result, server};

/// Builds what is not up to date, then replaces this process by the server, so that flags, exit
/// code and signals are the server's.
pub fn run(arguments: &[String]) -> Result {
    let program = server::development()?.sash;
    let flags = match arguments {
        [first, rest @ ..] if first == "--" => rest,
        all => all,
    };
    become_it(std::process::Command::new(program).args(flags))
}

#[cfg(unix)]
fn become_it(command: &mut std::process::Command) -> Result {
    use std::os::unix::process::CommandExt;
    Err(format!("the server cannot be started: {}", command.exec()))
}

#[cfg(not(unix))]
fn become_it(command: &mut std::process::Command) -> Result {
    let status = command
        .status()
        .map_err(|e| format!("the server cannot be started: {e}"))?;
    std::process::exit(status.code().unwrap_or(1))
}
