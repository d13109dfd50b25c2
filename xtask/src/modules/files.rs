//! The Rust files that checks read.

use crate::Result;
use std::path::{Path, PathBuf};

/// Where the page's own code is, from the root of the workspace: what is compiled for the browser alone.
pub const PAGE: [&str; 9] = [
    "crates/browser-kit/src",
    "crates/markdown-view/src",
    "crates/ui-kit/src",
    "crates/virtual-list/src",
    "kernel/view/src",
    "src/all_commands.rs",
    "src/all_settings.rs",
    "src/app.rs",
    "src/start.rs",
];

/// Where rooms are that are crates, from the root of the workspace: what of them is the page's, and their server parts.
pub const ROOMS: &str = "rooms";

/// Whether a file is the server's half of a room.
pub fn is_server_half(file: &str) -> bool {
    file.contains("/src/server/") || file.ends_with("/src/server.rs")
}

/// The text of a file.
pub fn read(file: &Path) -> Result<String> {
    std::fs::read_to_string(file)
        .map_err(|error| format!("{} cannot be read: {error}", file.display()))
}

/// What is in a folder.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)
        .map_err(|error| format!("{} cannot be read: {error}", folder.display()))?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}

/// The source files below a folder, without those of tests.
pub fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in entries(folder)? {
        if path.file_stem().unwrap_or_default() == "tests" {
            continue;
        }
        if path.is_dir() {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(files)
}
