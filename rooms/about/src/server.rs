//! What the server tells of its own program.

use crate::program::{PROGRAM, Program};
use sash_door::assets::Files;
use sash_server::hooks::Saying;
use std::sync::Arc;

/// What a person using Sash notices of each version.
const CHANGELOG: &str = include_str!("../../../CHANGELOG.md");

/// The versions of the changelog, without the words about its form.
pub fn changelog() -> &'static str {
    let versions = CHANGELOG.find("\n## ");
    versions.map_or(CHANGELOG, |at| CHANGELOG[at..].trim())
}

/// What a server of these files says: which program it is, and the file that its page would run from if it were loaded now.
#[must_use]
pub fn saying(program: Program, files: Arc<dyn Files>) -> Saying {
    Saying::new(PROGRAM, move |_| {
        // Read each time: while Sash is being developed the page is built again under a running server.
        let index = files.get("index.html");
        let page = index.and_then(|index| page_of(&index.bytes));
        let program = Program {
            page,
            ..program.clone()
        };
        serde_json::to_value(program).ok()
    })
}

/// The file that a page runs from: what its index.html has for boot.js, which loads it. A release writes attributes without
/// quotes.
fn page_of(index: &[u8]) -> Option<String> {
    let (_, rest) = str::from_utf8(index).ok()?.split_once("data-wasm=")?;
    let file = rest.strip_prefix('"').unwrap_or(rest);
    let file = file.split(['"', '>', ' ', '\n']).next()?;
    Some(file.to_owned()).filter(|file| !file.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_a_page_runs_from_is_read_with_quotes_and_without() {
        let page = |index: &str| page_of(index.as_bytes());
        for index in [
            r#"<script src="/boot.js" data-js="/a.js" data-wasm="/sash-0a_bg.wasm"></script>"#,
            "<script data-js=/a.js data-wasm=/sash-0a_bg.wasm src=/boot.js></script>",
            "<script src=/boot.js data-wasm=/sash-0a_bg.wasm></script>",
        ] {
            assert_eq!(page(index).as_deref(), Some("/sash-0a_bg.wasm"), "{index}");
        }
        for index in ["", "<p>No page</p>", "<script data-wasm=>"] {
            assert_eq!(page(index), None, "{index}");
        }
        assert_eq!(page_of(b"\xff data-wasm=/a.wasm"), None, "no text");
    }

    #[test]
    fn the_changelog_begins_with_its_newest_version() {
        assert!(changelog().starts_with("## "));
        assert!(changelog().contains("\n### Added\n"));
    }
}
