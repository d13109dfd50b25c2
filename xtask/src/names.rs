//! The last step before compression: renames files with a hash in their name to the hash of their
//! present content.
//!
//! Trunk computes these names before wasm-opt and its minifier change the files. Browsers cache
//! such a file for a year without revalidation, so two contents under one name would stay mixed for
//! as long.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::{Result, compress};

/// The length of our hashes, in hexadecimal digits.
const LENGTH: usize = 16;
/// The minimum length of Trunk's hashes: Trunk prints a number without leading zeros.
const SHORTEST: usize = 10;
/// Extensions of files that may reference other files.
const TEXTS: [&str; 5] = ["css", "html", "js", "json", "webmanifest"];

/// Renames the hashed files below `folder` and updates all references to them.
///
/// A file that references others is renamed after them, because their new names change its content.
pub fn folder(folder: &Path) -> Result {
    let failed = |e: std::io::Error| format!("{} cannot be named anew: {e}", folder.display());
    let files = compress::files(folder)?;
    let mut left: Vec<_> = files.iter().filter_map(|file| Hashed::of(file)).collect();
    while !left.is_empty() {
        let is_last = |file: &Hashed| -> std::io::Result<bool> {
            let bytes = fs::read(&file.path)?;
            Ok(!left.iter().any(|other| contains(&bytes, &other.name)))
        };
        let mut next = None;
        for (at, file) in left.iter().enumerate() {
            if is_last(file).map_err(failed)? {
                next = Some(at);
                break;
            }
        }
        let next = next.ok_or("files in dist name one another in a circle")?;
        let file = left.swap_remove(next);
        let hash = hash(&fs::read(&file.path).map_err(failed)?);
        let name = file.name.replace(&file.hash, &hash);
        let path = file.path.with_file_name(&name);
        fs::rename(&file.path, &path).map_err(failed)?;
        rename_in(folder, &file.name, &name).map_err(failed)?;
    }
    Ok(())
}

/// A file with a hash in its name.
struct Hashed {
    path: PathBuf,
    name: String,
    hash: String,
}

impl Hashed {
    fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_owned();
        let is_hash = |part: &&str| {
            (SHORTEST..=LENGTH).contains(&part.len())
                && part.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        };
        let hash = name.split(['-', '.', '_']).find(is_hash)?.to_owned();
        let path = path.to_owned();
        Some(Self { path, name, hash })
    }
}

/// The first digits of the SHA-256 of these bytes; the server compares them with the name.
fn hash(bytes: &[u8]) -> String {
    let mut digits = sha256(bytes);
    digits.truncate(LENGTH);
    digits
}

/// The SHA-256 of these bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn contains(bytes: &[u8], name: &str) -> bool {
    bytes
        .windows(name.len())
        .any(|part| part == name.as_bytes())
}

fn rename_in(folder: &Path, from: &str, to: &str) -> std::io::Result<()> {
    let files = compress::files(folder).map_err(std::io::Error::other)?;
    for file in files {
        let is_text = file
            .extension()
            .is_some_and(|e| TEXTS.iter().any(|text| e == *text));
        if !is_text {
            continue;
        }
        let text = fs::read_to_string(&file)?;
        if text.contains(from) {
            fs::write(&file, text.replace(from, to))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a folder with these files, renames them, and returns the resulting files.
    fn named(test: &str, files: &[(&str, &str)]) -> Result<Vec<(String, String)>> {
        let folder = std::env::temp_dir().join(format!("sash-names-{test}-{}", std::process::id()));
        fs::remove_dir_all(&folder).ok(); // The folder may not exist.
        fs::create_dir_all(&folder).expect("a temporary folder");
        for (name, text) in files {
            fs::write(folder.join(name), text).expect("a file");
        }
        let result = super::folder(&folder);
        let read = |path: PathBuf| {
            let name = path.file_name()?.to_str()?.to_owned();
            Some((name, fs::read_to_string(path).ok()?))
        };
        let found = compress::files(&folder)?
            .into_iter()
            .filter_map(read)
            .collect();
        fs::remove_dir_all(&folder).ok(); // A leftover folder is harmless.
        result.map(|()| found)
    }

    #[test]
    fn names_and_references_follow_what_is_in_the_files() {
        let found = named(
            "follow",
            &[
                ("index.html", "<a href=/sash-0123456789abcdef.js data-wasm=/sash-0123456789abcdef_bg.wasm>sash-fedcba987654321.css"),
                ("sash-0123456789abcdef.js", "new URL('sash-0123456789abcdef_bg.wasm')"),
                ("sash-0123456789abcdef_bg.wasm", "program"),
                ("sash-fedcba987654321.css", "a{}"),
                ("boot.js", "import('/markdown.js')"),
            ],
        )
        .expect("they can be named");
        let wasm = format!("sash-{}_bg.wasm", hash(b"program"));
        let script = format!("new URL('{wasm}')");
        let js = format!("sash-{}.js", hash(script.as_bytes()));
        let css = format!("sash-{}.css", hash(b"a{}"));
        let page = format!("<a href=/{js} data-wasm=/{wasm}>{css}");
        let mut expected = [
            ("boot.js".to_owned(), "import('/markdown.js')".to_owned()),
            ("index.html".to_owned(), page),
            (js, script),
            (wasm, "program".to_owned()),
            (css, "a{}".to_owned()),
        ];
        expected.sort();
        assert_eq!(found, expected);
    }

    #[test]
    fn another_content_has_another_name_and_the_same_keeps_it() {
        let of = |text: &str| {
            let files = [("sash-0123456789abcdef.js", text)];
            named(&hash(text.as_bytes()), &files).expect("it can be named")[0]
                .0
                .clone()
        };
        assert_ne!(of("a()"), of("b()"));
        let name = of("a()");
        let again = named("again", &[(&name, "a()")]).expect("it can be named");
        assert_eq!(again[0].0, name);
    }

    #[test]
    fn files_that_name_one_another_are_said() {
        let files = [
            ("a-0123456789abcdef.js", "b-fedcba9876543210.js"),
            ("b-fedcba9876543210.js", "a-0123456789abcdef.js"),
        ];
        let error = named("circle", &files).expect_err("no order is right");
        assert!(error.contains("circle"), "{error}");
    }

    #[test]
    fn it_is_the_hash_that_the_server_computes() {
        assert_eq!(hash(b""), "e3b0c44298fc1c14");
    }
}
