//! The native tests of what changed since the last commit, and of what depends on it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::cargo::{NATIVE, counted, threads};
use super::context;
use super::tally::Tally;
use crate::modules::{PAGE, ROOMS};
use crate::{Result, exec, place};

/// What `cargo xtask check` leaves out, said at its end.
const LEFT_OUT: &str = "Left out: tests in the browser's WASM, end-to-end tests, commands of the documents (`cargo xtask test`).";

/// Files that no native test reads.
const ELSEWHERE: [&str; 5] = ["docs/", "end2end/", "public/", "style/", "xtask/src/bench/"];

/// The forms of streams that two packages test.
const STREAM_FORMS: &str = "tests/data/stream_forms.rs";

/// The package that has the texts of the rooms.
const CATALOGUE: &str = "sash-catalogue";

/// Files that concern every package.
const EVERYWHERE: [&str; 5] = [
    ".cargo/",
    "Cargo.lock",
    "Cargo.toml",
    "clippy.toml",
    "rust-toolchain.toml",
];

/// Builds all native tests, which costs only what changed, and runs those of the packages concerned.
pub fn check() -> Result<Tally> {
    let packages = packages()?;
    let concerned = concerned(&packages, &changed_files()?);
    let others = packages.keys().filter(|name| !concerned.contains(*name));
    let others: Vec<&str> = others.map(String::as_str).collect();
    if !others.is_empty() {
        context::note(vec![format!(
            "Left out: native tests of {}, which the change does not concern.",
            others.join(", ")
        )]);
    }
    context::note(vec![LEFT_OUT.to_owned()]);
    if concerned.is_empty() {
        println!("nothing changed that a native test reads");
        return Ok(Tally::default());
    }
    let programs = context::building(|| programs(&packages))?;
    let mut tally = Tally::default();
    for (package, program) in programs {
        if concerned.contains(&package) {
            // As `cargo test` does: in the folder of the package.
            let mut command = exec::command(program);
            command
                .arg("--show-output")
                .env("RUST_TEST_THREADS", threads());
            if let Some(package) = packages.get(&package) {
                command.current_dir(place::root().join(&package.folder));
            }
            tally += counted(&mut command)?;
        }
    }
    Ok(tally)
}

/// A package of the workspace.
#[derive(Debug, PartialEq, Eq)]
struct Package {
    /// Its folder, below the root of the workspace; empty for the root's own.
    folder: String,
    /// The packages of the workspace that it is made of.
    uses: BTreeSet<String>,
}

fn packages() -> Result<BTreeMap<String, Package>> {
    let metadata = exec::cargo_metadata()?;
    let root = place::root();
    let listed = metadata["packages"].as_array().into_iter().flatten();
    let package = |package: &Value| {
        let manifest = PathBuf::from(package["manifest_path"].as_str()?);
        let folder = manifest.parent()?.strip_prefix(&root).ok()?.to_str()?;
        let uses = package["dependencies"].as_array()?.iter();
        let uses = uses.filter(|dependency| dependency["path"].is_string());
        Some((
            package["name"].as_str()?.to_owned(),
            Package {
                folder: folder.to_owned(),
                uses: uses
                    .filter_map(|dependency| dependency["name"].as_str().map(str::to_owned))
                    .collect(),
            },
        ))
    };
    Ok(listed.filter_map(package).collect())
}

/// The files that differ from the last commit, below the root.
fn changed_files() -> Result<Vec<String>> {
    let git = |arguments: &[&str]| exec::output(exec::command("git").args(arguments));
    let known = git(&["diff", "--name-only", "HEAD"])?;
    let new = git(&["ls-files", "--others", "--exclude-standard"])?;
    Ok(known
        .lines()
        .chain(new.lines())
        .map(str::to_owned)
        .collect())
}

/// The packages that these files belong to, and all that depend on them.
fn concerned(packages: &BTreeMap<String, Package>, files: &[String]) -> BTreeSet<String> {
    let is_in =
        |file: &str, folders: &[&str]| folders.iter().any(|folder| file.starts_with(folder));
    let mut found = BTreeSet::new();
    for file in files {
        if is_in(file, &EVERYWHERE) {
            return packages.keys().cloned().collect();
        }
        if is_in(file, &ELSEWHERE)
            || is_in(file, &PAGE)
            || file.ends_with(".md") && !file.contains('/')
        {
            continue;
        }
        // A test of the server of the chat reads them as well as those of the whole program.
        if file == STREAM_FORMS {
            found.insert("sash-server".to_owned());
        }
        // The texts of a room are in the catalogue.
        if is_in(file, &["kernel/", ROOMS]) && file.contains("/words/") {
            found.insert(CATALOGUE.to_owned());
            continue;
        }
        // The package in the deepest folder; the root's own has an empty one.
        let owner = packages
            .iter()
            .filter(|(_, package)| {
                package.folder.is_empty() || file.starts_with(&format!("{}/", package.folder))
            })
            .max_by_key(|(_, package)| package.folder.len());
        found.extend(owner.map(|(name, _)| name.clone()));
    }
    loop {
        let before = found.len();
        for (name, package) in packages {
            if package.uses.iter().any(|used| found.contains(used)) {
                found.insert(name.clone());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Builds the native test programs; returns them with the names of their packages.
fn programs(packages: &BTreeMap<String, Package>) -> Result<Vec<(String, PathBuf)>> {
    let mut programs = Vec::new();
    let mut command: Command = exec::cargo();
    command
        .args(NATIVE)
        .args(["--no-run", "--message-format=json-render-diagnostics"]);
    let built = exec::lines(&mut command, |line| {
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            return;
        };
        let program = message["executable"].as_str();
        let manifest = message["manifest_path"].as_str();
        if let (Some(program), Some(manifest), Some(true)) =
            (program, manifest, message["profile"]["test"].as_bool())
        {
            programs.push((manifest.to_owned(), PathBuf::from(program)));
        }
    })?;
    if !built {
        return Err("the tests do not compile".to_owned());
    }
    let root = place::root();
    let name_of = |manifest: &str| {
        packages
            .iter()
            .find(|(_, package)| root.join(&package.folder).join("Cargo.toml") == *manifest)
            .map(|(name, _)| name.clone())
    };
    Ok(programs
        .into_iter()
        .filter_map(|(manifest, program)| Some((name_of(&manifest)?, program)))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[&str]) -> Vec<String> {
        let package = |folder: &str, uses: &[&str]| Package {
            folder: folder.to_owned(),
            uses: uses.iter().map(|name| (*name).to_owned()).collect(),
        };
        let packages = BTreeMap::from([
            ("sash".to_owned(), package("", &["sash-state", "sash-log"])),
            (
                "sash-state".to_owned(),
                package("crates/state", &["sash-log"]),
            ),
            ("sash-log".to_owned(), package("kernel/log", &["sash-chat"])),
            ("sash-chat".to_owned(), package("kernel/chat", &[])),
            ("xtask".to_owned(), package("xtask", &[])),
        ]);
        let files: Vec<_> = files.iter().map(|file| (*file).to_owned()).collect();
        concerned(&packages, &files).into_iter().collect()
    }

    #[test]
    fn what_depends_on_a_changed_package_is_concerned() {
        assert_eq!(
            of(&["kernel/log/src/lib.rs"]),
            ["sash", "sash-log", "sash-state"]
        );
        assert_eq!(of(&["src/server/embed.rs", "README.md"]), ["sash"]);
        assert_eq!(of(&["xtask/src/main.rs"]), ["xtask"]);
        assert_eq!(of(&["rooms/speech/words/en.json"]), [CATALOGUE]);
        assert_eq!(of(&[STREAM_FORMS]), ["sash", "sash-server"]);
        assert!(place::root().join(STREAM_FORMS).is_file());
    }

    #[test]
    fn what_only_the_browser_runs_has_no_native_test() {
        assert_eq!(
            of(&["src/ui/app.rs", "style/main.css", "end2end/tests/a.spec.ts"]),
            [""; 0]
        );
        assert_eq!(of(&["Cargo.lock"]).len(), 5);
    }
}
