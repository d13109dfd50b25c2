//! The Rust sources of the workspace: their modules, what those use from each other, and what is counted in them. Each is
//! read once, into tokens, by which all lints look at it.

mod files;
mod graph;
mod measures;
mod source;
#[cfg(test)]
mod tests;
pub mod tokens;

pub use files::{PAGE, ROOMS, entries, is_server_half, read, rust_files};
pub use graph::Graph;
pub use measures::Measures;
pub use source::SourceFile;

use crate::{Result, place};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where sources are, from the root of the workspace.
const FOLDERS: [&str; 6] = ["crates", "fuzz", "kernel", ROOMS, "src", "xtask"];

/// Source files by their path from the root of the workspace.
pub type Sources = BTreeMap<String, SourceFile>;

/// All sources of the workspace, but for files of tests.
pub fn sources() -> Result<Rc<Sources>> {
    thread_local! {
        static READ: OnceCell<Rc<Sources>> = const { OnceCell::new() };
    }
    READ.with(|known| {
        if let Some(known) = known.get() {
            return Ok(Rc::clone(known));
        }
        let root = place::root();
        let mut sources = Sources::new();
        for folder in FOLDERS {
            for file in rust_files(&root.join(folder))? {
                let name = file.strip_prefix(&root).unwrap_or(&file);
                let name = name.to_string_lossy().replace('\\', "/");
                let source = SourceFile::parse(read(&file)?);
                let source = source.map_err(|error| format!("{name}: {error}"))?;
                sources.insert(name, source);
            }
        }
        Ok(Rc::clone(known.get_or_init(|| Rc::new(sources))))
    })
}

/// The files with which the libraries and programs of the workspace begin.
pub fn roots(sources: &Sources) -> impl Iterator<Item = &String> {
    let files = sources.keys();
    files.filter(|file| file.ends_with("src/lib.rs") || file.ends_with("src/main.rs"))
}
