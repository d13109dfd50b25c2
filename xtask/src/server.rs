//! The server's half.

use std::path::PathBuf;

use crate::{Result, client, exec, place};

/// Builds the release server with the client inside and returns its file.
pub fn release() -> Result<PathBuf> {
    client::build()?;
    exec::run(exec::cargo().args(["build", "--release", "--locked", "--bin", "sash"]))?;
    Ok(place::cargo_target()?
        .join("release")
        .join(place::program("sash")))
}

/// Builds the development server, which reads the client from `dist/`, and returns its file.
pub fn development() -> Result<PathBuf> {
    client::build()?;
    exec::run(exec::cargo().args(["build", "--locked", "--bin", "sash"]))?;
    Ok(place::cargo_target()?
        .join("debug")
        .join(place::program("sash")))
}

/// Builds the stand-in Ollama that the end-to-end tests speak to, and returns its file.
pub fn stand_in() -> Result<PathBuf> {
    exec::run(exec::cargo().args([
        "build",
        "--locked",
        "--package",
        "ollama-double",
        "--features",
        "program",
    ]))?;
    Ok(place::cargo_target()?
        .join("debug")
        .join(place::program("ollama-double")))
}
