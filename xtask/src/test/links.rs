//! Checks that what the documents point to exists: links to files of the repository, and paths from its root.

use std::path::{Path, PathBuf};

use super::tally::Tally;
use crate::{Result, exec, place};

/// A path in backticks that begins with one of these is one from the root.
const ROOTS: [&str; 11] = [
    "crates/", "docs/", "end2end/", "fuzz/", "kernel/", "public/", "rooms/", "src/", "style/",
    "tests/", "xtask/",
];

/// Fails on a link to a file, or on a path from the root, that is not there.
pub fn check() -> Result<Tally> {
    let root = place::root();
    let mut tally = Tally::default();
    for document in documents(&root)? {
        let text = std::fs::read_to_string(root.join(&document))
            .map_err(|e| format!("{}: {e}", document.display()))?;
        let folder = document.parent().unwrap_or(Path::new(""));
        for target in links(&text) {
            tally += exists(&document, target, &root.join(folder).join(target));
        }
        // A crate's README names its own files by paths from the crate; those begin with the same words.
        let crate_root = root.join(document.components().take(2).collect::<PathBuf>());
        for path in paths(&text) {
            let here = crate_root.join(path);
            let place = if here.exists() { here } else { root.join(path) };
            tally += exists(&document, path, &place);
        }
    }
    Ok(tally)
}

fn exists(document: &Path, target: &str, place: &Path) -> Tally {
    if place.exists() {
        return Tally::PASSED;
    }
    println!(
        "FAILED: {} points to {target}, which is not there",
        document.display()
    );
    Tally::FAILED
}

/// The Markdown files of the repository, without test data. CHANGELOG tells of what was, so it is not among them.
fn documents(root: &Path) -> Result<Vec<PathBuf>> {
    let mut list = exec::command("git");
    list.current_dir(root).args(["ls-files", "--", "*.md"]);
    let list = exec::output(&mut list)?;
    let documents = list
        .lines()
        .filter(|file| *file != "CHANGELOG.md" && !file.contains("tests/data/"));
    Ok(documents.map(PathBuf::from).collect())
}

/// The files that links of a document lead to, without the part behind `#`.
fn links(text: &str) -> Vec<&str> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', '#', ' ']).next())
        .filter(|target| !target.is_empty() && !target.contains(':'))
        .collect()
}

/// The paths from the root that stand in backticks. One with a sign of a pattern is none.
fn paths(text: &str) -> Vec<&str> {
    text.split('`')
        .skip(1)
        .step_by(2)
        .filter(|word| ROOTS.iter().any(|root| word.starts_with(root)))
        .filter(|word| !word.contains(['*', '{', '<', ' ', '|', '…']))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_pages_and_places_are_no_files() {
        let text =
            "[a](docs/api.md#models), [b](#here), [c](https://example.org), ![d](docs/d.png)";
        assert_eq!(links(text), ["docs/api.md", "docs/d.png"]);
    }

    #[test]
    fn paths_stand_in_backticks_and_begin_at_the_root() {
        let text = "`src/ui` and `window/choose.rs`, `crates/*/src`, `cargo test`, `tests/native`";
        assert_eq!(paths(text), ["src/ui", "tests/native"]);
    }
}
