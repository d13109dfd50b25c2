//! Checks that the modules of a crate have no dependency cycles.
//!
//! A module is a file. It depends on another module of its crate when it names an item defined
//! there, by a path from `crate`, `super` or `self` or through an import; re-exports are followed
//! to the definition, so a `mod.rs` that re-exports its children's items causes no cycle. Two
//! things are not dependencies: what a module uses from its own child modules, because it is made
//! of them, and what tests use. Modules in a cycle can only be understood, tested and moved
//! together; what both sides need belongs in a module below them.

mod graph;
mod source;

use super::tally::Tally;
use crate::{Result, place};
use graph::Graph;
pub use source::is_test;
use std::path::{Path, PathBuf};

/// Fails on every cycle, in every crate of the workspace.
pub fn check() -> Result<Tally> {
    let workspace = place::root();
    let mut tally = Tally::default();
    for root in roots(&workspace)? {
        let graph = Graph::read(&root, &|file| {
            std::fs::read_to_string(file)
                .map_err(|error| format!("{} cannot be read: {error}", file.display()))
        })?;
        let cycles = graph.cycles();
        for cycle in &cycles {
            println!("{}: a cycle of modules\n{cycle}", root.display());
        }
        tally += match cycles.is_empty() {
            true => Tally::PASSED,
            false => Tally::FAILED,
        };
    }
    Ok(tally)
}

/// The root files of the workspace's libraries and programs.
fn roots(workspace: &Path) -> Result<Vec<PathBuf>> {
    let crates = workspace.join("crates");
    let entries = std::fs::read_dir(&crates).map_err(|error| format!("crates: {error}"))?;
    let mut packages: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    packages.sort();
    packages.extend([workspace.to_path_buf(), workspace.join("xtask")]);
    let files = packages
        .iter()
        .flat_map(|package| ["src/lib.rs", "src/main.rs"].map(|file| package.join(file)));
    Ok(files.filter(|file| file.is_file()).collect())
}

#[cfg(test)]
mod tests;
