//! Checks that the modules of a crate have no dependency cycles.
//!
//! A module is a file. It uses another module of its crate when its code names an item defined there,
//! by a path from `crate`, `super` or `self` or through an import; re-exports are followed to the
//! definition. These are no uses: `mod child;`, a re-export of what a child module defines, and what
//! tests name.
//!
//! At each level the parts of a module must not use each other in a circle. The parts are the
//! module's own file and each of its child modules, with everything in it. So a module that uses an
//! item of its child, while the child uses an item of the module, is a cycle; and so are two folders
//! of which each has a file that uses a file of the other.
//!
//! One thing is allowed, because it is how a large type is divided in Rust: a file below the module
//! that defines a type may add `impl` blocks to it. What such a block names of the type's own module
//! (the type, its private helpers) is not a use; what the block names of other modules is, and so is
//! whatever the file names outside of these blocks.
//!
//! Modules in a cycle can only be understood, tested and moved together; what both sides need belongs
//! in a module below them.

use crate::Result;
use crate::modules::{Graph, roots, sources};

/// Every cycle, in every crate of the workspace.
pub fn check() -> Result<Vec<String>> {
    let sources = sources()?;
    let found = roots(&sources).flat_map(|root| {
        let cycles = Graph::of(root, &sources).uses().cycles().into_iter();
        cycles.map(move |cycle| format!("{root}: a cycle of modules\n{cycle}"))
    });
    Ok(found.collect())
}
