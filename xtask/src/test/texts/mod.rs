//! Checks that the page's texts stand in the catalogue, `crates/words/locales` and the folders `words` of the rooms, and nowhere
//! else, and that nobody shows a text of another room.
//!
//! The code of the page is read token by token. What is a text is told from where a literal stands (between tags, in an
//! attribute that is read) and, elsewhere, from how it looks: two words, or a capital letter. One word in small letters is
//! a text in a function or constant that has words of the catalogue (`t!`), and where it is announced: it is probably part
//! of a sentence there. What looks like a text and is none (a media query, a header, a class, what goes to the console) is
//! listed in `not_shown.txt`.

mod source;
#[cfg(test)]
mod tests;

use crate::modules::{PAGE, ROOMS, entries, is_server_half, read, sources};
use crate::{Result, place};
use source::Text;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where the page's texts are made besides [`PAGE`], from the root of the workspace.
const PATHS: &[&str] = &[
    "kernel/chat/src/head/setting.rs",
    "kernel/chat/src/policy_words.rs",
    "kernel/log/src/image.rs",
    "kernel/stores/src",
    "kernel/wire/src/fault",
    "kernel/wire/src/parameters.rs",
];

/// What looks like a text and is none, each behind the end of its file's name.
const NOT_SHOWN: &str = include_str!("not_shown.txt");

/// Files whose texts are for the model.
const NOT_READ: &[&str] = &[
    "src/embeddings/prefix.rs",
    "src/side_request.rs",
    "summaries/src/request.rs",
    "titles/src/request.rs",
    "tools/src/read_file.rs",
];

/// The texts outside the catalogue, those in it that nobody uses, and those that a room shows which are another's.
pub fn check() -> Result<Vec<String>> {
    let sources = sources()?;
    let keys = keys(&place::root())?;
    let rooms = entries(&place::root().join(ROOMS))?;
    let rooms: Vec<_> = rooms.iter().map(|room| stem(room)).collect();
    let mut found = Vec::new();
    let mut used = BTreeSet::new();
    for (file, source) in sources
        .iter()
        .filter(|(file, _)| !file.starts_with("xtask/"))
    {
        let named = source::keys(&source.text);
        // `titles.iter` is no text.
        let others = others_keys(file, &named, &rooms);
        let others = others.into_iter().filter(|key| keys.contains(key));
        found.extend(others.map(|key| format!("{file}: {key} is a text of another room")));
        used.extend(named);
        if is_shown(file) {
            let texts = source::texts(&source.tokens).into_iter();
            let texts = texts.filter(|text| !is_listed(file, &text.value));
            found.extend(texts.map(|Text { line, value }| {
                format!("{file}:{line}: {value:?} is not in the catalogue")
            }));
        }
    }
    let unused = keys.difference(&used);
    found.extend(unused.map(|key| format!("{key} is in the catalogue and nowhere else")));
    Ok(found)
}

/// Whether the texts of a file are the page's. The server's half of a room shows nothing.
fn is_shown(file: &str) -> bool {
    let mut paths = PAGE.iter().chain(PATHS).chain([&ROOMS]);
    let is_below = |path: &&str| {
        let rest = file.strip_prefix(*path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    paths.any(is_below) && !is_server_half(file) && !NOT_READ.iter().any(|end| file.ends_with(end))
}

/// Whether a text of a file is listed as none.
fn is_listed(file: &str, text: &str) -> bool {
    let mut listed = NOT_SHOWN.lines().filter_map(|line| line.split_once(" | "));
    let text = text.replace('\n', "\\n");
    listed.any(|(end, shown)| file.ends_with(end) && shown == text)
}

/// The keys of the catalogue, each with its namespace; those of `count` are the names of functions and left out.
fn keys(root: &Path) -> Result<BTreeSet<String>> {
    let mut keys = BTreeSet::new();
    for (space, path) in english(root)? {
        if space == "count" {
            continue;
        }
        let texts: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&read(&path)?)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        for key in texts.keys() {
            let key = key
                .strip_suffix("_one")
                .or_else(|| key.strip_suffix("_other"))
                .unwrap_or(key);
            keys.insert(format!("{space}.{key}"));
        }
    }
    Ok(keys)
}

/// The English files of the catalogue, each with its namespace.
fn english(root: &Path) -> Result<Vec<(String, PathBuf)>> {
    let files = entries(&root.join("crates/words/locales/en"))?;
    let mut english: Vec<_> = files.into_iter().map(|file| (stem(&file), file)).collect();
    for parts in ["kernel", ROOMS] {
        let files = entries(&root.join(parts))?.into_iter();
        let files = files.map(|part| (stem(&part).replace('-', "_"), part.join("words/en.json")));
        english.extend(files.filter(|(_, file)| file.is_file()));
    }
    Ok(english)
}

/// The texts of rooms among those that a file names, without being the room's own.
fn others_keys(file: &str, named: &BTreeSet<String>, rooms: &[String]) -> BTreeSet<String> {
    let is_of_other = |key: &&String| {
        let space = key.split('.').next().unwrap_or_default();
        let room = rooms.iter().find(|room| room.replace('-', "_") == space);
        room.is_some_and(|room| !file.starts_with(&format!("rooms/{room}/")))
    };
    named.iter().filter(is_of_other).cloned().collect()
}

/// The name of a folder, or of a file without its ending.
fn stem(path: &Path) -> String {
    let name = path.file_stem().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
