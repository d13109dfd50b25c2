//! Child processes: their environment, and three ways to run them.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Result, place};

/// Variables that `cargo run` sets for this program. If child processes inherited them, build
/// scripts that watch these variables (ring's does) would run again and half of the crates would be
/// recompiled.
const CARGO_OWN: [&str; 6] = [
    "CARGO_MANIFEST_DIR",
    "CARGO_MANIFEST_PATH",
    "CARGO_CRATE_NAME",
    "CARGO_BIN_NAME",
    "CARGO_PRIMARY_PACKAGE",
    "OUT_DIR",
];

/// A command in the workspace root, with our tools first on PATH and no standard input.
pub fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(place::root()).stdin(Stdio::null());
    let package = std::env::vars_os()
        .map(|(name, _)| name)
        .filter(|name| name.to_string_lossy().starts_with("CARGO_PKG_"));
    for name in package.chain(CARGO_OWN.map(OsString::from)) {
        command.env_remove(name);
    }
    let ours = [
        place::tools().join("bin"),
        place::end2end().join("node_modules/.bin"),
    ];
    let theirs = std::env::var_os("PATH").unwrap_or_default();
    let all = ours.into_iter().chain(std::env::split_paths(&theirs));
    if let Ok(path) = std::env::join_paths(all) {
        command.env("PATH", path);
    }
    command
}

/// The cargo that started this program.
pub fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// npm, whose file has another name on Windows.
pub fn npm() -> Command {
    command(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

/// What cargo knows of the workspace's own packages.
pub fn cargo_metadata() -> Result<serde_json::Value> {
    metadata(&["--no-deps"])
}

/// What cargo knows of all packages that are compiled for a target, other people's too.
pub fn cargo_metadata_for(target: &str) -> Result<serde_json::Value> {
    metadata(&["--filter-platform", target])
}

fn metadata(options: &[&str]) -> Result<serde_json::Value> {
    let arguments = ["metadata", "--format-version", "1", "--locked"];
    let text = output(cargo().args(arguments).args(options))?;
    serde_json::from_str(&text).map_err(|e| format!("`cargo metadata` is unreadable: {e}"))
}

/// Runs a command with its output on the terminal.
pub fn run(command: &mut Command) -> Result {
    let status = command.status().map_err(|e| not_started(command, &e))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("`{}` failed ({status})", display(command))),
    }
}

/// Runs a command and returns its standard output; on failure the error contains its standard
/// error.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command.output().map_err(|e| not_started(command, &e))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() {
        true => Ok(text),
        false => Err(format!(
            "`{}` failed ({})\n{}",
            display(command),
            output.status,
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// Runs a command and passes each line of its standard output to `line`. Returns whether the
/// command succeeded.
pub fn lines(command: &mut Command, mut line: impl FnMut(&str)) -> Result<bool> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| not_started(command, &e))?;
    if let Some(stdout) = child.stdout.take() {
        let mut reader = BufReader::new(stdout);
        let mut bytes = Vec::new();
        // Read bytes instead of using `lines()`: a test may print text that is not UTF-8.
        while reader
            .read_until(b'\n', &mut bytes)
            .is_ok_and(|read| read > 0)
        {
            line(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']));
            bytes.clear();
        }
    }
    let status = child.wait().map_err(|e| not_started(command, &e))?;
    Ok(status.success())
}

/// The command as one would type it, without the program's folder.
pub fn display(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut text = program
        .file_name()
        .unwrap_or(program.as_os_str())
        .to_string_lossy()
        .into_owned();
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    text
}

/// "8.1 s" or "2 min 05 s".
pub fn seconds(since: Instant) -> String {
    spell(since.elapsed())
}

fn spell(time: Duration) -> String {
    let whole = time.as_secs();
    if whole < 60 {
        return format!("{:.1} s", time.as_secs_f64());
    }
    format!("{} min {:02} s", whole / 60, whole % 60)
}

fn not_started(command: &Command, error: &std::io::Error) -> String {
    format!("`{}` could not be started: {error}", display(command))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_spelled_for_people() {
        assert_eq!(spell(Duration::from_millis(8_123)), "8.1 s");
        assert_eq!(spell(Duration::from_secs(125)), "2 min 05 s");
    }

    #[test]
    fn a_failing_command_says_which_and_why() {
        let error = output(cargo().arg("no-such-command")).expect_err("there is no such command");
        assert!(error.contains("cargo no-such-command"), "{error}");
        assert!(error.contains("no such command"), "{error}");
    }
}
