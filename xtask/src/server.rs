//! Building the server.

use std::path::PathBuf;
use std::sync::OnceLock;

use crate::{Result, client, exec, place};

/// Builds the release server, which embeds the client, and returns its path.
pub fn release() -> Result<PathBuf> {
    client::build()?;
    exec::run(exec::cargo().args(["build", "--release", "--locked", "--bin", "sash"]))?;
    Ok(cargo_target()?.join("release").join(place::program("sash")))
}

/// Builds the development server, which reads the client from `dist/`, and returns its path.
pub fn development() -> Result<PathBuf> {
    client::build()?;
    exec::run(exec::cargo().args(["build", "--locked", "--bin", "sash"]))?;
    Ok(cargo_target()?.join("debug").join(place::program("sash")))
}

/// Builds the stand-in Ollama for the end-to-end tests, and returns its path.
pub fn stand_in() -> Result<PathBuf> {
    exec::run(exec::cargo().args([
        "build",
        "--locked",
        "--package",
        "ollama-double",
        "--features",
        "program",
    ]))?;
    Ok(cargo_target()?
        .join("debug")
        .join(place::program("ollama-double")))
}

/// Cargo's target folder, according to its configuration and environment.
fn cargo_target() -> Result<PathBuf> {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    if let Some(found) = FOUND.get() {
        return Ok(found.clone());
    }
    let arguments = ["metadata", "--no-deps", "--format-version", "1", "--locked"];
    let text = exec::output(exec::cargo().args(arguments))?;
    let metadata: serde_json::Value =
        serde_json::from_str(&text).map_err(|e| format!("`cargo metadata` is unreadable: {e}"))?;
    let folder = metadata["target_directory"]
        .as_str()
        .ok_or("`cargo metadata` names no target folder")?;
    Ok(FOUND.get_or_init(|| PathBuf::from(folder)).clone())
}
