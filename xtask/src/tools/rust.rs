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
        source: Source::Release(&WASM_BINDGEN),
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
        source: Source::Release(&TRUNK),
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
        source: Source::Crate(CARGO_ABOUT),
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
        source: Source::Crate(CARGO_DEB),
        name: "cargo-deb",
        minutes: "about two minutes",
        flags: &["--locked"],
        hot: &["lzma-sys"],
    })
}

/// Where a tool comes from.
enum Source {
    /// A release archive, or its crate where no archive can be used.
    Release(&'static Release),
    /// Its crate, in this version. The program has the crate's name.
    Crate(&'static str),
}

struct CargoTool<'a> {
    package: &'a str,
    source: Source,
    name: &'a str,
    minutes: &'a str,
    flags: &'a [&'a str],
    /// The crates that process the whole program: unoptimized, they would make each build slow.
    hot: &'a [&'a str],
}

impl CargoTool<'_> {
    fn version(&self) -> &str {
        match self.source {
            Source::Release(release) => release.version,
            Source::Crate(version) => version,
        }
    }

    fn programs(&self) -> &[&str] {
        match self.source {
            Source::Release(release) => release.programs,
            Source::Crate(_) => std::slice::from_ref(&self.package),
        }
    }
}

fn install(tool: &CargoTool) -> Result {
    if is_there(tool) {
        return Ok(());
    }
    let since = Instant::now();
    if let Err(why) = fetch(tool) {
        println!("{why}");
        let (name, version, minutes) = (tool.name, tool.version(), tool.minutes);
        println!("Building {name} {version}, once, {minutes}…");
        build(tool)?;
    }
    println!("{} is there ({}).", tool.name, exec::seconds(since));
    Ok(())
}

/// Takes a tool out of its release archive. The error says why that cannot be.
fn fetch(tool: &CargoTool) -> Result {
    let release = match tool.source {
        Source::Release(release) if release.archive().is_some() => release,
        _ => {
            return Err(format!(
                "No archive of {} is pinned for this machine.",
                tool.name
            ));
        }
    };
    let host = std::env::var("SASH_TOOLS_FROM").unwrap_or_else(|_| ARCHIVES.to_owned());
    let host = host.trim_end_matches('/');
    println!("Fetching {} {}…", tool.name, release.version);
    archive::install(release, host, &place::tools().join("bin"))
        .map_err(|why| why.trim().to_owned())?;
    match is_there(tool) {
        true => Ok(()),
        false => Err("The program does not run on this machine.".into()),
    }
}

/// Whether all programs of the tool are there in its version.
fn is_there(tool: &CargoTool) -> bool {
    tool.programs().iter().all(|program| {
        let file = place::tools().join("bin").join(place::program(program));
        let says = exec::output(exec::command(file).arg("--version")).unwrap_or_default();
        says.split_whitespace().any(|word| word == tool.version())
    })
}

/// Builds a tool from its sources. All tools are built in one folder, since they share crates.
fn build(tool: &CargoTool) -> Result {
    let mut cargo = exec::cargo();
    cargo
        .args(["install", tool.package, "--version", tool.version()])
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
