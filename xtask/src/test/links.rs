//! Checks that what the documents point to exists: links to files of the repository, and paths from its root.

use std::path::{Path, PathBuf};

use crate::modules::read;
use crate::{Result, exec, place};

/// A path in backticks that begins with one of these is one from the root.
const ROOTS: [&str; 11] = [
    "crates/", "docs/", "end2end/", "fuzz/", "kernel/", "public/", "rooms/", "src/", "style/",
    "tests/", "xtask/",
];

/// The links to files, and the paths from the root, that are not there.
pub fn check() -> Result<Vec<String>> {
    let root = place::root();
    let mut found = Vec::new();
    for document in documents()? {
        let text = read(&root.join(&document))?;
        let folder = root.join(document.parent().unwrap_or(Path::new("")));
        // A crate's README names its own files by paths from the crate; those begin with the same words.
        let own = root.join(document.components().take(2).collect::<PathBuf>());
        let mut links = links(&text);
        links.retain(|target| !folder.join(target).exists());
        let mut paths = paths(&text);
        paths.retain(|path| !own.join(path).exists() && !root.join(path).exists());
        let (gone, document) = (links.into_iter().chain(paths), document.display());
        found.extend(gone.map(|to| format!("{document} points to {to}, which is not there")));
    }
    Ok(found)
}

/// The Markdown files of the repository, without test data. CHANGELOG tells of what was, so it is not among them.
fn documents() -> Result<Vec<PathBuf>> {
    let list = exec::output(exec::command("git").args(["ls-files", "--", "*.md"]))?;
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
        let text =
            "`src/program` and `window/choose.rs`, `crates/*/src`, `cargo test`, `tests/native`";
        assert_eq!(paths(text), ["src/program", "tests/native"]);
    }
}
