//! Tools that cargo builds into `target/tools/bin`.

use std::fs;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Instant;

use super::TRUNK;
use crate::{Result, exec, place};

const WASM: &str = "wasm32-unknown-unknown";

/// The standard library for WASM. `rust-toolchain.toml` lists the target, so rustup has usually
/// installed it already.
pub fn wasm_target() -> Result {
    let folder =
        exec::output(exec::command("rustc").args(["--print", "target-libdir", "--target", WASM]))?;
    if PathBuf::from(folder.trim()).is_dir() {
        return Ok(());
    }
    if place::on_path(&["rustup"]).is_none() {
        return Err(format!(
            "this Rust has no target {WASM}, and there is no rustup to add it. Install Rust from https://rustup.rs"
        ));
    }
    println!("Adding Rust's target {WASM}…");
    exec::run(exec::command("rustup").args(["target", "add", WASM]))
}

/// Trunk, which builds the client.
pub fn trunk() -> Result {
    install(&Tool {
        package: "trunk",
        program: "trunk",
        name: "Trunk",
        version: TRUNK,
        minutes: "about three minutes",
        // The feature `update_check` is off, because a build tool must not access the network.
        flags: &["--locked", "--no-default-features", "--features", "rustls"],
        optimise: "0",
    })
}

/// wasm-bindgen's command-line tools, in the version of the crate: other versions reject its
/// output.
pub fn wasm_bindgen() -> Result {
    let version = locked("wasm-bindgen")?;
    install(&Tool {
        package: "wasm-bindgen-cli",
        program: "wasm-bindgen-test-runner",
        name: "wasm-bindgen",
        version: &version,
        minutes: "about two minutes",
        // `--locked` would fail: the published lock file requires a crate version that was yanked.
        flags: &[],
        // The tool processes the whole program; unoptimized, it would make each build slow.
        optimise: "1",
    })
}

struct Tool<'a> {
    package: &'a str,
    /// The program whose presence and version represent the package.
    program: &'a str,
    name: &'a str,
    version: &'a str,
    minutes: &'a str,
    flags: &'a [&'a str],
    optimise: &'a str,
}

fn install(tool: &Tool) -> Result {
    let program = place::tools()
        .join("bin")
        .join(place::program(tool.program));
    let there = exec::output(exec::command(&program).arg("--version")).unwrap_or_default();
    if there.split_whitespace().any(|word| word == tool.version) {
        return Ok(());
    }
    println!(
        "Building {} {}, once, {}…",
        tool.name, tool.version, tool.minutes
    );
    let since = Instant::now();
    let build = place::tools().join("build");
    let mut cargo = exec::cargo();
    cargo
        .args([
            "install",
            tool.package,
            "--version",
            tool.version,
            "--debug",
            "--force",
        ])
        .args(tool.flags)
        .arg("--root")
        .arg(place::tools())
        .env("CARGO_TARGET_DIR", &build)
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", tool.optimise);
    // A progress bar is useful on a terminal only; in a log file it is noise.
    if !std::io::stderr().is_terminal() {
        cargo.arg("--quiet");
    }
    exec::run(&mut cargo)?;
    fs::remove_dir_all(&build).ok(); // The build folder has some hundred megabytes that are not needed again.
    println!("{} is there ({}).", tool.name, exec::seconds(since));
    Ok(())
}

/// The version of `package` in Cargo.lock.
fn locked(package: &str) -> Result<String> {
    let lock = fs::read_to_string(place::root().join("Cargo.lock"))
        .map_err(|e| format!("Cargo.lock is not readable: {e}"))?;
    version_in(&lock, package).ok_or_else(|| format!("Cargo.lock holds no {package}"))
}

fn version_in(lock: &str, package: &str) -> Option<String> {
    let (_, rest) = lock.split_once(&format!("\nname = \"{package}\"\nversion = \""))?;
    Some(rest.split_once('"')?.0.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locked_version_is_that_of_the_very_package() {
        let lock = "[[package]]\nname = \"wasm-bindgen-futures\"\nversion = \"0.4.1\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\nsource = \"\"\n";
        assert_eq!(version_in(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(version_in(lock, "wasm"), None);
    }
}
