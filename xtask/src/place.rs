//! Where things lie.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::{Result, exec};

/// The folder with `Cargo.lock`.
///
/// Asked of cargo at run time where possible: several work trees may share one target folder, and then this
/// program may have been compiled in another of them.
pub fn root() -> PathBuf {
    let own = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    own.parent().map_or(own.clone(), Path::to_path_buf)
}

/// The trunk `dist` folder: the built client.
pub fn dist() -> PathBuf {
    root().join("dist")
}

/// Our own corner of the workspace's `target`, wherever cargo's may be: stamps, styles, reports.
pub fn scratch() -> PathBuf {
    root().join("target")
}

/// Tools of exactly our versions. Never in the person's own folders.
pub fn tools() -> PathBuf {
    scratch().join("tools")
}

/// Where end-to-end tests and npm's packages live.
pub fn end2end() -> PathBuf {
    root().join("end2end")
}

/// Cargo's target folder, as its configuration and environment have it.
pub fn cargo_target() -> Result<PathBuf> {
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

/// A program's file name here: with `.exe` on Windows.
pub fn program(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

/// The first of `names` that is a file in one of PATH's folders.
pub fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names.iter().find_map(|name| {
        folders
            .iter()
            .map(|folder| folder.join(program(name)))
            .find(|file| file.is_file())
    })
}
