//! Tools written in Rust, in `target/tools/bin`: from their release archives where they can be
//! had, else built from their sources.

use std::fs;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Instant;

use super::archive;
use super::pins::{CARGO_ABOUT, CARGO_DEB, Release, TRUNK, WASM_BINDGEN};
use crate::{Result, exec, place};

const WASM: &str = "wasm32-unknown-unknown";

/// The host of the release archives, unless the variable `SASH_TOOLS_FROM` names a mirror with the
/// same folders.
const ARCHIVES: &str = "https://github.com";

/// The standard library for WASM. `rust-toolchain.toml` lists the target, so rustup has usually
/// installed it already.
pub fn wasm_target() -> Result {
    target(WASM)
}

/// The standard library for a target.
pub fn target(target: &str) -> Result {
    let print = ["--print", "target-libdir", "--target", target];
    let folder = exec::output(exec::command("rustc").args(print))?;
    if PathBuf::from(folder.trim()).is_dir() {
        return Ok(());
    }
    if place::on_path(&["rustup"]).is_none() {
        return Err(format!(
            "this Rust has no target {target}, and there is no rustup to add it. Install Rust from https://rustup.rs"
        ));
    }
    println!("Adding Rust's target {target}…");
    exec::run(exec::command("rustup").args(["target", "add", target]))
}

/// wasm-bindgen's command-line tools, in the version of the crate: other versions reject its
/// output.
pub fn wasm_bindgen() -> Result {
    install(&CargoTool {
        package: "wasm-bindgen-cli",
        release: &WASM_BINDGEN,
        name: "wasm-bindgen",
        minutes: "about a minute",
        // `--locked` would fail: the published lock file requires a crate version that was yanked.
        // The default feature is TLS, which the test runner needs for browsers on other machines.
        flags: &["--no-default-features"],
        hot: &["walrus", "wasmparser"],
    })
}

/// Trunk, which builds the client.
pub fn trunk() -> Result {
    install(&CargoTool {
        package: "trunk",
        release: &TRUNK,
        name: "Trunk",
        minutes: "about two minutes",
        // The features are TLS and a look for newer versions: a build tool must not access the
        // network.
        flags: &["--locked", "--no-default-features"],
        hot: &[],
    })
}

/// cargo-about, which collects the licences of a release.
pub fn cargo_about() -> Result {
    install(&CargoTool {
        package: "cargo-about",
        release: &CARGO_ABOUT,
        name: "cargo-about",
        minutes: "about three minutes",
        flags: &["--locked", "--features", "cli"],
        // It compares each text of each crate with each licence.
        hot: &[
            "aho-corasick",
            "krates",
            "memchr",
            "regex",
            "regex-automata",
            "regex-syntax",
            "spdx",
            "unicode-normalization",
        ],
    })
}

/// cargo-deb, which makes the Debian package.
pub fn cargo_deb() -> Result {
    install(&CargoTool {
        package: "cargo-deb",
        release: &CARGO_DEB,
        name: "cargo-deb",
        minutes: "about two minutes",
        flags: &["--locked"],
        hot: &["lzma-sys"],
    })
}

struct CargoTool<'a> {
    package: &'a str,
    release: &'a Release,
    name: &'a str,
    minutes: &'a str,
    flags: &'a [&'a str],
    /// The crates that process the whole program: unoptimized, they would make each build slow.
    hot: &'a [&'a str],
}

fn install(tool: &CargoTool) -> Result {
    if is_there(tool) {
        return Ok(());
    }
    let since = Instant::now();
    let host = std::env::var("SASH_TOOLS_FROM").unwrap_or_else(|_| ARCHIVES.to_owned());
    let host = host.trim_end_matches('/');
    let version = tool.release.version;
    println!("Fetching {} {version}…", tool.name);
    let unusable = match archive::install(tool.release, host, &place::tools().join("bin")) {
        Ok(()) if is_there(tool) => None,
        Ok(()) => Some("the program does not run on this machine".to_owned()),
        Err(why) => Some(why),
    };
    if let Some(why) = unusable {
        println!("{}", why.trim());
        println!(
            "Building {} {version} instead, once, {}…",
            tool.name, tool.minutes
        );
        build(tool)?;
    }
    println!("{} is there ({}).", tool.name, exec::seconds(since));
    Ok(())
}

/// Whether all programs of the tool are there in its version.
fn is_there(tool: &CargoTool) -> bool {
    tool.release.programs.iter().all(|program| {
        let file = place::tools().join("bin").join(place::program(program));
        let says = exec::output(exec::command(file).arg("--version")).unwrap_or_default();
        says.split_whitespace()
            .any(|word| word == tool.release.version)
    })
}

/// Builds a tool from its sources. All tools are built in one folder, since they share crates.
fn build(tool: &CargoTool) -> Result {
    let mut cargo = exec::cargo();
    cargo
        .args(["install", tool.package, "--version", tool.release.version])
        .args(["--debug", "--force"])
        .args(tool.flags)
        .arg("--root")
        .arg(place::tools())
        .env("CARGO_TARGET_DIR", build_folder())
        .env("CARGO_PROFILE_DEV_DEBUG", "0");
    for package in tool.hot {
        cargo.args([
            "--config",
            &format!("profile.dev.package.{package}.opt-level=2"),
        ]);
    }
    // A progress bar is useful on a terminal only; in a log file it is noise.
    if !std::io::stderr().is_terminal() {
        cargo.arg("--quiet");
    }
    exec::run(&mut cargo)
}

fn build_folder() -> PathBuf {
    place::tools().join("build")
}

/// Removes what building the tools left: some hundred megabytes that are not needed again.
pub fn remove_build_folder() {
    fs::remove_dir_all(build_folder()).ok(); // Usually there is none.
}

/// The version of `package` in the text of a Cargo.lock.
#[cfg(test)]
pub fn version_in(lock: &str, package: &str) -> Option<String> {
    let (_, rest) = lock.split_once(&format!("\nname = \"{package}\"\nversion = \""))?;
    Some(rest.split_once('"')?.0.to_owned())
}
