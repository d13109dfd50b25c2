//! No text is ever read as HTML or run. Clippy (`clippy.toml`) forbids the methods of web-sys; this test
//! searches for the browser's own names, which can be reached by reflection, also in the scripts that are
//! served.

use std::fs;
use std::path::Path;

const NEVER: [&str; 16] = [
    "innerHTML",
    "outerHTML",
    "insertAdjacentHTML",
    "createContextualFragment",
    "DOMParser",
    "parseFromString",
    "parseHTML",
    "setHTML",
    "srcdoc",
    "document.write",
    "eval(",
    "new Function",
    "set_inner_html",
    "set_outer_html",
    "insert_adjacent_html",
    "inner_html=",
];

/// The lines of all files below a folder that contain one of the words.
fn found(folder: &Path, files: &mut usize) -> Vec<String> {
    let mut out = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            out.extend(found(&path, files));
            continue;
        }
        // This file holds the list of words.
        if path.ends_with("tests/markup.rs") {
            continue;
        }
        // Icons are not text.
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        *files += 1;
        for line in text.lines() {
            if NEVER.iter().any(|word| line.contains(word)) {
                out.push(format!("{}: {line}", path.display()));
            }
        }
    }
    out
}

#[test]
fn nothing_reads_html() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = 0;
    let folders = ["src", "crates", "kernel", "public"].map(|folder| root.join(folder));
    let all: Vec<String> = folders
        .iter()
        .flat_map(|folder| found(folder, &mut files))
        .collect();
    assert!(files > 100, "{files} files");
    assert_eq!(all, [""; 0]);
}
