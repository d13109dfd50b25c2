//! Checks that only the root depends on rooms, and that their tests run.
//!
//! A room uses the chat and the libraries: cargo refuses what its manifest does not name, and this refuses what it must not.

use crate::modules::ROOMS;
use crate::{Result, exec, place};
use serde_json::Value;
use std::path::Path;

/// Libraries of rooms, which the chat does not use: what features keep, where files and the backup name it too, and the index of
/// messages.
const OF_ROOMS: [&str; 2] = ["sash-records", "sash-search"];

/// What tests in a browser need: those of rooms would run nowhere.
const BROWSER_TESTS: &str = "wasm-bindgen-test";

/// The parts of the chat, the libraries and the rooms that depend on a room, but for tests, and the rooms with tests in a
/// browser.
pub fn check() -> Result<Vec<String>> {
    let metadata = exec::cargo_metadata()?;
    let root = place::root();
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let found = packages.flat_map(|package| {
        let refused = refused(package, &root).into_iter();
        refused.map(move |name| format!("{} depends on {name}", package["name"]))
    });
    Ok(found.collect())
}

/// What a package must not depend on, and does.
fn refused(package: &Value, root: &Path) -> Vec<String> {
    let below = |path: &Value, folder: &str| {
        let path = path.as_str().map(Path::new);
        path.is_some_and(|path| path.starts_with(root.join(folder)))
    };
    let manifest = &package["manifest_path"];
    let is_room = below(manifest, ROOMS);
    let is_kernel = below(manifest, "kernel");
    if !is_room && !is_kernel && !below(manifest, "crates") {
        return Vec::new();
    }
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    let refused = dependencies.filter(|dependency| {
        let is_of_rooms = dependency["name"]
            .as_str()
            .is_some_and(|name| OF_ROOMS.contains(&name));
        let is_named = below(&dependency["path"], ROOMS) || is_kernel && is_of_rooms;
        dependency["kind"] != "dev" && is_named || is_room && dependency["name"] == BROWSER_TESTS
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
                "manifest_path": format!("/sash/{folder}Cargo.toml"),
                "dependencies": [{"name": name, "kind": kind, "path": format!("/sash/{on}")}],
            });
            refused(&package, Path::new("/sash")).is_empty()
        };
        assert!(depends("", "rooms/speech", None));
        assert!(!depends("kernel/view/", "rooms/speech", None));
        assert!(!depends("rooms/queue/", "rooms/speech", None));
        assert!(!depends("crates/form/", "rooms/speech", None));
        assert!(depends("rooms/queue/", "rooms/speech", Some("dev")));
        assert!(depends("rooms/queue/", "kernel/view", None));
        assert!(depends("crates/form/", "crates/sash-records", None));
        assert!(depends("rooms/queue/", "crates/sash-records", None));
        assert!(!depends("kernel/stores/", "crates/sash-records", None));
        assert!(!depends("rooms/queue/", BROWSER_TESTS, Some("dev")));
        assert!(depends("kernel/view/", BROWSER_TESTS, Some("dev")));
    }
}
