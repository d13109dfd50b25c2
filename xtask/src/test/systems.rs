//! Checks that the table in `docs/systems.md` names every file of the product that knows the operating system, and no test
//! that is not there.

use std::collections::BTreeSet;

use proc_macro2::TokenTree;

use crate::modules::tokens::{inside, word};
use crate::modules::{read, sources};
use crate::{Result, exec, place};

const TABLE: &str = "docs/systems.md";
/// Where the product is, from the root of the workspace.
const PRODUCT: [&str; 4] = ["crates/", "kernel/", "rooms/", "src/"];
/// The conditions of `cfg` that are of the system.
const CONDITIONS: [&str; 4] = ["target_family", "target_os", "unix", "windows"];
/// The constant of the system that the program runs on, and the crates by which it is asked.
const NAMES: [&str; 6] = ["HERE", "anstream", "dunce", "libc", "rlimit", "sysinfo"];
/// The crates whose names are words of other things too, so only the beginning of a path names them.
const CRATES: [&str; 2] = ["listeners", "open"];
/// The least number of underscores in the name of a test, which is a sentence.
const WORDS: usize = 3;

/// The files that know the system and are not in the table, and the tests of the table that are not there.
pub fn check() -> Result<Vec<String>> {
    let table = read(&place::root().join(TABLE))?;
    let sources = sources()?;
    let files = sources.iter().filter(|(file, source)| {
        let is_product = PRODUCT.iter().any(|folder| file.starts_with(folder));
        is_product && knows_system(&source.tokens) && !table.contains(&format!("`{file}`"))
    });
    let files = files.map(|(file, _)| {
        format!("{file} knows the operating system; say in {TABLE} what it does on each")
    });
    let search = ["grep", "-hoE"];
    let functions =
        exec::output(
            exec::command("git")
                .args(search)
                .args(["fn [a-z0-9_]+", "--", "*.rs"]),
        )?;
    let functions: BTreeSet<&str> = functions.lines().map(|line| &line["fn ".len()..]).collect();
    let gone = tests_in(&table).filter(|test| !functions.contains(test));
    let gone = gone.map(|test| format!("{TABLE} names the test {test}, which is not there"));
    Ok(files.chain(gone).collect())
}

/// Whether code asks for the system.
fn knows_system(tokens: &[TokenTree]) -> bool {
    (0..tokens.len()).any(|at| {
        let name = word(tokens, at).unwrap_or_default();
        NAMES.contains(&&*name)
            || CRATES.contains(&&*name) && begins_path(tokens, at)
            || matches!(&*name, "cfg" | "cfg_attr") && is_of_system(&tokens[at + 1..])
            || inside(tokens, at).is_some_and(|inner| knows_system(&inner))
    })
}

/// Whether a word is the first one of a path.
fn begins_path(tokens: &[TokenTree], at: usize) -> bool {
    let is_colon = |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    is_colon(at + 1) && is_colon(at + 2) && !(at > 1 && is_colon(at - 1) && is_colon(at - 2))
}

/// Whether what stands behind `cfg` is a condition of the system; `cfg!` has a sign before it.
fn is_of_system(tokens: &[TokenTree]) -> bool {
    let condition = inside(tokens, 0).or_else(|| inside(tokens, 1));
    condition.is_some_and(|condition| has_word(&condition, &CONDITIONS))
}

/// Whether one of these words is in code.
fn has_word(tokens: &[TokenTree], words: &[&str]) -> bool {
    (0..tokens.len()).any(|at| {
        word(tokens, at).is_some_and(|word| words.contains(&&*word))
            || inside(tokens, at).is_some_and(|inner| has_word(&inner, words))
    })
}

/// The names of tests in backticks.
fn tests_in(table: &str) -> impl Iterator<Item = &str> {
    let quoted = table.split('`').skip(1).step_by(2);
    quoted.filter(|name| {
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        name.matches('_').count() >= WORDS && name.chars().all(is_name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::SourceFile;

    #[test]
    fn code_that_asks_for_the_system_is_found_and_its_tests_are_not() {
        for (code, expected) in [
            ("#[cfg(unix)] fn a() {}", true),
            ("#[cfg(all(not(windows), feature = \"b\"))] fn a() {}", true),
            ("fn a() { if cfg!(target_os = \"macos\") {} }", true),
            ("fn a() { match System::HERE { _ => {} } }", true),
            ("use sysinfo::System;", true),
            ("fn a() { let b: open::B = c; }", true),
            ("fn a() { listeners::get_all(); }", true),
            (
                "fn a() { File::open(\"b\").open(crate::listeners::b); }",
                false,
            ),
            ("struct A { open: bool }", false),
            ("fn a() { [1, 2].windows(2); }", false),
            ("#[cfg(target_arch = \"wasm32\")] fn unix() {}", false),
            ("#[cfg(test)] #[cfg(unix)] mod tests { use libc; }", false),
        ] {
            let source = SourceFile::parse(code.to_owned()).unwrap();
            assert_eq!(knows_system(&source.tokens), expected, "{code}");
        }
    }

    #[test]
    fn the_tests_of_the_table_are_its_sentences_in_backticks() {
        let table =
            "| `src/main.rs` | `SO_REUSEADDR` | `a_test_is_a_sentence`, `open` | `O_NOFOLLOW` |";
        assert_eq!(
            tests_in(table).collect::<Vec<_>>(),
            ["a_test_is_a_sentence"]
        );
    }
}
