//! The Rust sources of the workspace: their modules, what those use from each other, and what is counted in them.

mod attributes;
mod files;
mod graph;
mod measures;
mod source;
#[cfg(test)]
mod tests;

pub use files::{PAGE, ROOMS, entries, read, rust_files};
pub use graph::{Graph, Uses};
pub use measures::Measures;

use crate::{Result, place};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Whether a file is the server's half of a room.
pub fn is_server_half(file: &str) -> bool {
    file.contains("/src/server/") || file.ends_with("/src/server.rs")
}

/// A library or a program of the workspace.
pub struct Crate {
    /// Its name in code.
    pub name: String,
    /// The file it begins with.
    pub root: PathBuf,
    /// Its modules.
    pub graph: Graph,
    /// What they use.
    pub uses: Uses,
}

/// All libraries and programs of the workspace. They are read once, because that takes seconds.
pub fn crates() -> Result<Rc<[Crate]>> {
    thread_local! {
        static READ: OnceCell<Rc<[Crate]>> = const { OnceCell::new() };
    }
    READ.with(|known| {
        if let Some(known) = known.get() {
            return Ok(Rc::clone(known));
        }
        let crates: Result<Vec<_>> = roots(&place::root())?.into_iter().map(open).collect();
        let crates = crates?;
        Ok(Rc::clone(known.get_or_init(|| crates.into())))
    })
}

fn open(root: PathBuf) -> Result<Crate> {
    let package = root.ancestors().nth(2).unwrap_or(Path::new(""));
    let manifest = read(&package.join("Cargo.toml"))?;
    let name = manifest
        .lines()
        .find_map(|line| line.strip_prefix("name = \""));
    let name = name.unwrap_or_default().trim_end_matches('"');
    let graph = Graph::read(&root, &read)?;
    Ok(Crate {
        name: name.replace('-', "_"),
        uses: graph.uses(),
        graph,
        root,
    })
}

/// The root files of the workspace's libraries and programs.
fn roots(workspace: &Path) -> Result<Vec<PathBuf>> {
    let mut packages = Vec::new();
    for folder in ["crates", "kernel", ROOMS] {
        packages.extend(entries(&workspace.join(folder))?);
    }
    packages.sort();
    packages.extend([workspace.to_path_buf(), workspace.join("xtask")]);
    let files = packages
        .iter()
        .flat_map(|package| ["src/lib.rs", "src/main.rs"].map(|file| package.join(file)));
    Ok(files.filter(|file| file.is_file()).collect())
}
