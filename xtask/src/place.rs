//! Where things lie.

use std::path::{Path, PathBuf};

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
