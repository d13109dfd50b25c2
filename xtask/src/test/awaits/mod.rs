//! Checks that every `.await` of the page that is followed by more code has an entry in `docs/awaits.md`.
//!
//! After an `.await` the world has changed: another chat is open, the message was deleted, a newer question was asked.
//! The list says for each function what it takes before it waits and what it looks up after. It is keyed by file and
//! function and counts the awaits, so that a new one is noticed and a moved line is not.

mod source;

use super::tally::Tally;
use crate::modules::{PAGE, ROOMS, read, rust_files};
use crate::{Result, place};
use std::collections::BTreeMap;

/// The list, from the root of the workspace.
const LIST: &str = "docs/awaits.md";
/// Where the page's stores are.
const STORES: [&str; 2] = ["crates/state/src", "kernel/stores/src"];

/// How often each function of each file waits.
type Awaits = BTreeMap<(String, String), usize>;

/// Fails on an await without an entry, and on an entry without one.
pub fn check() -> Result<Tally> {
    let root = place::root();
    let mut found = Awaits::new();
    for folder in PAGE.into_iter().chain(STORES).chain([ROOMS]) {
        for file in rust_files(&root.join(folder))? {
            let name = file.strip_prefix(&root).unwrap_or(&file);
            let name = name.to_string_lossy().replace('\\', "/");
            let awaits = source::awaits(&read(&file)?);
            let awaits = awaits.map_err(|error| format!("{name}: {error}"))?;
            for (function, count) in awaits {
                found.insert((name.clone(), function), count);
            }
        }
    }
    let problems = compare(&found, &listed(&read(&root.join(LIST))?)?);
    for problem in &problems {
        println!("{problem}");
    }
    Ok(match problems.is_empty() {
        true => Tally::PASSED,
        false => Tally::FAILED,
    })
}

/// The entries of the list: a heading `## file`, and below it a line ``- `function`, n: …`` for each function.
fn listed(text: &str) -> Result<Awaits> {
    let mut listed = Awaits::new();
    let mut file = "";
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            file = name.trim();
        }
        let Some(entry) = line.strip_prefix("- `") else {
            continue;
        };
        let parsed = entry.split_once("`, ").and_then(|(function, rest)| {
            let (count, words) = rest.split_once(": ")?;
            let count: usize = count.parse().ok()?;
            (!words.trim().is_empty()).then(|| (function.to_owned(), count))
        });
        let Some((function, count)) = parsed else {
            return Err(format!("{LIST}: this is no entry: {line}"));
        };
        if listed.insert((file.to_owned(), function), count).is_some() {
            return Err(format!("{LIST}: there are two entries: {line}"));
        }
    }
    Ok(listed)
}

/// A sentence for each difference between the code and the list.
fn compare(found: &Awaits, listed: &Awaits) -> Vec<String> {
    let mut problems = Vec::new();
    for ((file, function), count) in found {
        match listed.get(&(file.clone(), function.clone())) {
            None => problems.push(format!(
                "{file}: `{function}` waits ({count}) and goes on; {LIST} has no entry for it"
            )),
            Some(known) if known != count => problems.push(format!(
                "{file}: `{function}` waits {count} times and goes on; {LIST} says {known}"
            )),
            Some(_) => {}
        }
    }
    for (file, function) in listed.keys() {
        if !found.contains_key(&(file.clone(), function.clone())) {
            problems.push(format!(
                "{LIST}: {file} has no `{function}` that waits and goes on"
            ));
        }
    }
    problems
}

#[cfg(test)]
mod tests;
