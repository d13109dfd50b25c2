//! Two things that the server has inside: in a release the built client, `dist-release/`, and the commit it was built from.
//!
//! The embedding macro (rust-embed's) reports to cargo only the files it found, and a new build has new file names, so the
//! server is recompiled when that folder changes. Development builds read `dist/` at run time.
//!
//! The commit and its date come from `SASH_COMMIT` and `SASH_DATE`, for packagers who build without git, else a release
//! asks git. A development build does not: each commit would recompile it. The client has neither.

use std::env;
use std::path::Path;
use std::process::Command;

/// How many digits of a commit are said, as `rustc --version` does it.
const COMMIT_DIGITS: usize = 9;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name, value| env::var(name).is_ok_and(|v| v == value);
    if is("CARGO_CFG_TARGET_ARCH", "wasm32") {
        return;
    }
    let is_release = is("PROFILE", "release");
    if is_release {
        println!("cargo::rerun-if-changed=dist-release");
    }
    let (commit, date) = match (variable("SASH_COMMIT"), variable("SASH_DATE")) {
        (None, None) if is_release => ask_git().unzip(),
        said => said,
    };
    if let Some(commit) = commit {
        match commit.get(..COMMIT_DIGITS) {
            Some(digits) if commit.bytes().all(|b| b.is_ascii_hexdigit()) => {
                println!("cargo::rustc-env=SASH_BUILD_COMMIT={digits}");
            }
            _ => println!(
                "cargo::error=SASH_COMMIT is “{commit}”. It must be the hash of a commit, with at least {COMMIT_DIGITS} digits."
            ),
        }
    }
    if let Some(date) = date {
        match is_date(&date) {
            true => println!("cargo::rustc-env=SASH_BUILD_DATE={date}"),
            false => println!(
                "cargo::error=SASH_DATE is “{date}”. It must be the day of the commit, such as 2026-01-31."
            ),
        }
    }
}

/// What a packager says; an empty variable says nothing.
fn variable(name: &str) -> Option<String> {
    println!("cargo::rerun-if-env-changed={name}");
    let value = env::var(name).ok()?;
    Some(value.trim().to_owned()).filter(|value| !value.is_empty())
}

/// The commit that is checked out, and its day in UTC. Changes that are not committed are not looked for, as cargo would
/// not run this again for them.
fn ask_git() -> Option<(String, String)> {
    // An unpacked archive may be inside of another project's repository.
    if !Path::new(".git").exists() {
        return None;
    }
    // The log of HEAD grows with each commit and checkout. In a worktree both files are elsewhere.
    for file in git(&["rev-parse", "--git-path", "HEAD", "--git-path", "logs/HEAD"])?.lines() {
        if Path::new(file).exists() {
            println!("cargo::rerun-if-changed={file}");
        }
    }
    let format = ["--date=short-local", "--format=%H %cd"];
    let said = git(&["log", "-1", "--no-show-signature", format[0], format[1]])?;
    let (commit, date) = said.trim().split_once(' ')?;
    Some((commit.to_owned(), date.to_owned()))
}

/// What git prints; `None` where it is not installed, or does not trust the repository of another user.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .args(arguments)
        .env("TZ", "UTC")
        .output();
    let output = output.ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

/// Whether a text has the form of a day: 2026-01-31.
fn is_date(text: &str) -> bool {
    let parts: Vec<_> = text.split('-').collect();
    let lengths: Vec<_> = parts.iter().map(|part| part.len()).collect();
    lengths == [4, 2, 2] && parts.concat().bytes().all(|b| b.is_ascii_digit())
}
