//! The licences of what is in the program and not ours. Those of crates and of grammars are collected here, those of the
//! standard library come with Rust; what no tool knows is in `packaging/licences`.

use std::fs;
use std::path::{Path, PathBuf};

use super::grammars;
use crate::{Result, exec, place, tools};

/// The folder of those that are collected.
pub fn folder() -> PathBuf {
    place::scratch().join("package").join("licences")
}

/// Collects the licences of the crates of server and page (`about.toml` says which count), of the grammars that colour code,
/// and of the standard library.
pub fn collect() -> Result {
    tools::cargo_about()?;
    let folder = folder();
    // Everything in it is packed.
    fs::remove_dir_all(&folder).ok(); // The folder may not exist.
    fs::create_dir_all(&folder).map_err(|e| format!("{} cannot be made: {e}", folder.display()))?;
    exec::run(
        exec::cargo()
            .args(["about", "generate", "--locked", "--fail"])
            .args(["--features", "jemalloc", "--output-file"])
            .arg(folder.join("crates.txt"))
            .arg("packaging/licences.hbs"),
    )?;
    fs::write(folder.join("grammars.md"), grammars::licences()?)
        .map_err(|e| format!("{} cannot be written: {e}", folder.display()))?;
    let toolchain = exec::output(exec::command("rustc").args(["--print", "sysroot"]))?;
    let library = Path::new(toolchain.trim()).join("share/doc/rust/COPYRIGHT-library.html");
    fs::copy(&library, folder.join("rust.html"))
        .map(drop)
        .map_err(|e| {
            format!(
                "the licences of Rust's library are not there: {}: {e}",
                library.display()
            )
        })
}
