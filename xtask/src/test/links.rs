//! Checks that what the documents point to exists: links to files of the repository, paths from its root, and the
//! repository's own address and host, which Cargo.toml has.

use std::path::{Path, PathBuf};

use crate::modules::read;
use crate::{Result, exec, place};

/// A path in backticks that begins with one of these is one from the root.
const ROOTS: [&str; 11] = [
    "crates/", "docs/", "end2end/", "fuzz/", "kernel/", "public/", "rooms/", "src/", "style/",
    "tests/", "xtask/",
];

/// The address of the repository, `repository` in Cargo.toml.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
/// The end of names that nobody can own (RFC 2606).
const PLACEHOLDER: &str = ".example";

/// The links to files and the paths from the root that are not there, and addresses of the repository that are not its own.
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
    for file in files(&["*.md", "packaging", "Cargo.toml"])? {
        let text = read(&root.join(&file))?;
        let others = other_repositories(&text, REPOSITORY).chain(other_hosts(&text, REPOSITORY));
        let file = file.display();
        found.extend(others.map(|to| {
            format!("{file} points to {to}, but the repository is {REPOSITORY} (Cargo.toml)")
        }));
    }
    Ok(found)
}

/// The Markdown files of the repository, without test data. CHANGELOG tells of what was, so it is not among them.
fn documents() -> Result<Vec<PathBuf>> {
    let mut documents = files(&["*.md"])?;
    documents
        .retain(|file| *file != *"CHANGELOG.md" && !file.to_string_lossy().contains("tests/data/"));
    Ok(documents)
}

/// The files of the repository that match these patterns of git.
fn files(patterns: &[&str]) -> Result<Vec<PathBuf>> {
    let list = exec::output(exec::command("git").args(["ls-files", "--"]).args(patterns))?;
    Ok(list.lines().map(PathBuf::from).collect())
}

/// The addresses that look like this repository's, releases and names that nobody can own, and are not below it.
fn other_repositories<'a>(text: &'a str, repository: &'a str) -> impl Iterator<Item = &'a str> {
    let addresses = text.match_indices("https://").filter_map(|(at, _)| {
        let address = text.get(at..)?;
        let end = address.find(|c: char| c.is_whitespace() || "()<>[]\"'`|,".contains(c));
        address.get(..end.unwrap_or(address.len()))
    });
    addresses.filter(move |address| {
        let host = address.split('/').nth(2).unwrap_or_default();
        let looks_alike = address.contains("/releases") || host.ends_with(PLACEHOLDER);
        let below = address.strip_prefix(repository);
        looks_alike
            && !below.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.', '#']))
    })
}

/// The names that nobody can own and that are not the repository's host, in e-mail addresses too.
fn other_hosts<'a>(text: &'a str, repository: &'a str) -> impl Iterator<Item = &'a str> {
    let own = repository.split('/').nth(2).unwrap_or_default();
    let names = text.split(|c: char| !(c.is_ascii_alphanumeric() || "-.".contains(c)));
    let names = names.map(|name| name.trim_end_matches('.'));
    names.filter(move |name| name.ends_with(PLACEHOLDER) && *name != own)
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
    fn only_the_repository_of_the_manifest_has_releases() {
        let text = "curl https://sash.example/sash/releases/$sash, [a](https://sash.example/sash), \
                    https://host.example/sash https://sash.example/sashes `https://git.host/me/sash/releases` \
                    https://ollama.com";
        let others = |repository| other_repositories(text, repository).collect::<Vec<_>>();
        assert_eq!(
            others("https://sash.example/sash"),
            [
                "https://host.example/sash",
                "https://sash.example/sashes",
                "https://git.host/me/sash/releases"
            ]
        );
        let moved = others("https://git.host/me/sash");
        assert_eq!(moved.len(), 4);
        assert_eq!(moved[1], "https://sash.example/sash");
    }

    #[test]
    fn only_the_host_of_the_manifest_is_a_placeholder() {
        let text = "maintainer = \"A <sash@sash.example>\", at sash.example. Not box.lan or chat.example.org.";
        let others = |repository| other_hosts(text, repository).collect::<Vec<_>>();
        assert!(others("https://sash.example/sash").is_empty());
        let moved = others("https://git.host/me/sash");
        assert_eq!(moved, ["sash.example", "sash.example"]);
    }

    #[test]
    fn paths_stand_in_backticks_and_begin_at_the_root() {
        let text =
            "`src/program` and `window/choose.rs`, `crates/*/src`, `cargo test`, `tests/native`";
        assert_eq!(paths(text), ["src/program", "tests/native"]);
    }
}
