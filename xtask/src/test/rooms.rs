//! Checks that only the root depends on rooms, and that their tests run.
//!
//! A room uses the chat and the libraries: cargo refuses what its manifest does not name, and this refuses what it must not.

use super::tally::Tally;
use crate::modules::{self, ROOMS};
use crate::{Result, exec, place};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Packages of features that have no folder in [`ROOMS`] yet.
const FEATURES: [&str; 6] = [
    "sash-backup",
    "sash-calls",
    "sash-records",
    "sash-search",
    "sash-state",
    "sash-transfer",
];

/// Fails on a part of the chat, a library or a room that depends on a room; their tests may.
pub fn check() -> Result<Tally> {
    let metadata = exec::cargo_metadata()?;
    let mut tally = Tally::default();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let refused = refused(package, &place::root());
        for name in &refused {
            println!("FAILED: {} depends on {name}", package["name"]);
        }
        let lost = browser_tests(package)?;
        for file in &lost {
            println!(
                "FAILED: {} has tests for the browser, where those of rooms do not run",
                file.display()
            );
        }
        tally += match refused.is_empty() && lost.is_empty() {
            true => Tally::PASSED,
            false => Tally::FAILED,
        };
    }
    Ok(tally)
}

/// The files of a room with tests for the browser.
fn browser_tests(package: &Value) -> Result<Vec<PathBuf>> {
    let folder = package["manifest_path"].as_str().map(Path::new);
    let folder = folder.and_then(Path::parent).unwrap_or(Path::new(""));
    if !folder.starts_with(place::root().join(ROOMS)) {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for file in every_file(&folder.join("src"))? {
        if modules::read(&file)?.contains("wasm_bindgen_test") {
            found.push(file);
        }
    }
    Ok(found)
}

/// All files below a folder.
fn every_file(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in modules::entries(folder)? {
        match path.is_dir() {
            true => files.extend(every_file(&path)?),
            false => files.push(path),
        }
    }
    Ok(files)
}

/// What a package must not depend on, and does.
fn refused(package: &Value, root: &Path) -> Vec<String> {
    let below = |path: &Value, folder: &str| {
        let path = path.as_str().map(Path::new);
        path.is_some_and(|path| path.starts_with(root.join(folder)))
    };
    let manifest = &package["manifest_path"];
    let is_room = below(manifest, ROOMS);
    let is_apart = is_room || below(manifest, "kernel");
    if !is_apart && !below(manifest, "crates") {
        return Vec::new();
    }
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    let refused = dependencies.filter(|dependency| {
        let is_feature = dependency["name"]
            .as_str()
            .is_some_and(|name| FEATURES.contains(&name));
        dependency["kind"] != "dev" && (below(&dependency["path"], ROOMS) || is_apart && is_feature)
    });
    refused
        .map(|dependency| dependency["name"].to_string())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_root_alone_depends_on_rooms() {
        let depends = |folder: &str, on: &str, kind: Option<&str>| {
            let name = on.rsplit('/').next().unwrap_or_default();
            let package = json!({
                "name": "sash-one",
                "manifest_path": format!("/root/{folder}Cargo.toml"),
                "dependencies": [{"name": name, "kind": kind, "path": format!("/root/{on}")}],
            });
            refused(&package, Path::new("/root")).is_empty()
        };
        assert!(depends("", "rooms/speech", None));
        assert!(!depends("kernel/view/", "rooms/speech", None));
        assert!(!depends("rooms/queue/", "rooms/speech", None));
        assert!(!depends("crates/state/", "rooms/speech", None));
        assert!(depends("rooms/queue/", "rooms/speech", Some("dev")));
        assert!(depends("rooms/queue/", "kernel/view", None));
        assert!(!depends("rooms/queue/", "crates/sash-search", None));
        assert!(depends("crates/state/", "crates/sash-search", None));
    }
}
