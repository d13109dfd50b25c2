//! The paths of the workspace.

use std::path::{Path, PathBuf};

/// The folder with `Cargo.lock`.
///
/// Taken from cargo at run time if possible: several work trees may share one target folder, and
/// then this program may have been compiled in another of them.
pub fn root() -> PathBuf {
    let own = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    own.parent().map_or(own.clone(), Path::to_path_buf)
}

/// Our own folder in the workspace's `target`, even if cargo uses another target folder: stamps,
/// styles, reports.
pub fn scratch() -> PathBuf {
    root().join("target")
}

/// Tools in the exact versions that we need; they are never installed into the person's own
/// folders.
pub fn tools() -> PathBuf {
    scratch().join("tools")
}

/// The folder of the end-to-end tests and npm's packages.
pub fn end2end() -> PathBuf {
    root().join("end2end")
}

/// The file name of a program on this platform: with `.exe` on Windows.
pub fn program(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

/// The first of `names` that exists in a folder of PATH.
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
