//! The Rust files that checks read.

use crate::Result;
use std::path::{Path, PathBuf};

/// Where the page's own code is, from the root of the workspace: what is compiled for the browser alone.
pub const PAGE: [&str; 7] = [
    "crates/browser-kit/src",
    "crates/markdown-view/src",
    "crates/ui-kit/src",
    "crates/virtual-list/src",
    "kernel/view/src",
    "src/browser",
    "src/ui",
];

/// The text of a file.
pub fn read(file: &Path) -> Result<String> {
    std::fs::read_to_string(file)
        .map_err(|error| format!("{} cannot be read: {error}", file.display()))
}

/// A source file, or those below a folder, without those of tests.
pub fn rust_files(path: &Path) -> Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path)
        .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let mut files = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.file_stem().unwrap_or_default() == "tests" {
            continue;
        }
        if path.is_dir() {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
