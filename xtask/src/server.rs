//! Building the server, and with it the stand-in Ollama: cargo compiles what they share once.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Instant;

use crate::client::Build;
use crate::{Result, client, exec, place, tools};

/// The programs that a build leaves.
pub struct Programs {
    /// Sash.
    pub sash: PathBuf,
    /// The stand-in Ollama, as a program of its own.
    pub stand_in: PathBuf,
}

/// Builds client and server for development; the server reads the client from `dist/`.
pub fn development() -> Result<Programs> {
    client::build(Build::Development)?;
    build("debug", &[])
}

/// Builds the stand-in Ollama alone, for development.
pub fn stand_in() -> Result<PathBuf> {
    exec::run(exec::cargo().args(["build", "--locked", "--package", "ollama-double", "--bins"]))?;
    Ok(programs(&cargo_target()?.join("debug")).stand_in)
}

/// Builds the release, which embeds the client.
pub fn release() -> Result<Programs> {
    client::build(Build::Release)?;
    build("release", &["--release", "--features", "sash/jemalloc"])
}

/// Builds the release for a target, with the client as it lies there, and returns the folder of the program. On Linux it is linked
/// statically, so it needs nothing of the system that it runs on.
pub fn release_for(target: &str) -> Result<PathBuf> {
    tools::target(target)?;
    println!("Building Sash for {target} (about ten minutes the first time)…");
    let since = Instant::now();
    let mut cargo = exec::cargo();
    cargo
        .args([
            "build",
            "--locked",
            "--release",
            "--package",
            "sash",
            "--bin",
            "sash",
        ])
        .args(["--features", "sash/jemalloc", "--target", target])
        // Kernels of arm64 have pages of 4, 16 or 64 kB. jemalloc starts where they are as large as it was built for, or
        // smaller.
        .env("AARCH64_UNKNOWN_LINUX_MUSL_JEMALLOC_SYS_WITH_LG_PAGE", "16");
    if target.ends_with("-musl") {
        let (variable, compiler) = tools::musl_compiler(target)?;
        cargo.env(variable, compiler);
    }
    exec::run(&mut cargo)?;
    println!("The program is built ({}).", exec::seconds(since));
    Ok(cargo_target()?.join(target).join("release"))
}

fn build(profile: &str, arguments: &[&str]) -> Result<Programs> {
    let programs = programs(&cargo_target()?.join(profile));
    if !programs.sash.is_file() {
        println!("Building the server (about three minutes the first time)…");
    }
    let since = Instant::now();
    let packages = ["--package", "sash", "--package", "ollama-double"];
    exec::run(
        exec::cargo()
            .args(["build", "--locked", "--bins"])
            .args(packages)
            .args(arguments),
    )?;
    if since.elapsed().as_secs() > 5 {
        println!("The server is built ({}).", exec::seconds(since));
    }
    Ok(programs)
}

fn programs(folder: &Path) -> Programs {
    Programs {
        sash: folder.join(place::program("sash")),
        stand_in: folder.join(place::program("ollama-double")),
    }
}

/// Cargo's target folder, according to its configuration and environment.
fn cargo_target() -> Result<PathBuf> {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    if let Some(found) = FOUND.get() {
        return Ok(found.clone());
    }
    let metadata = exec::cargo_metadata()?;
    let folder = metadata["target_directory"]
        .as_str()
        .ok_or("`cargo metadata` names no target folder")?;
    Ok(FOUND.get_or_init(|| PathBuf::from(folder)).clone())
}
