//! The native tests of what changed since the last commit, and of what depends on it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
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

/// The forms of streams, which a test of the server of the chat reads as well as those of the whole program.
const STREAM_FORMS: (&str, &str) = ("tests/data/stream_forms.rs", "kernel/server");

/// The package that has the texts of the rooms.
const CATALOGUE: &str = "crates/words/catalogue";

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
    let others = others.map(|folder| if folder.is_empty() { "src" } else { folder });
    let others: Vec<&str> = others.collect();
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
    let programs = context::building(programs)?;
    let mut tally = Tally::default();
    for (package, program) in programs {
        if concerned.contains(&package) {
            // As `cargo test` does: in the folder of the package.
            let mut command = exec::command(program);
            command
                .arg("--show-output")
                .env("RUST_TEST_THREADS", threads())
                .current_dir(place::root().join(package));
            tally += counted(&mut command)?;
        }
    }
    Ok(tally)
}

/// The packages of the workspace by their folders below its root, each with the folders of those that it is made of. The
/// root's own has an empty one.
type Packages = BTreeMap<String, BTreeSet<String>>;

fn packages() -> Result<Packages> {
    let metadata = exec::cargo_metadata()?;
    let listed = metadata["packages"].as_array().into_iter().flatten();
    let package = |package: &Value| {
        let uses = package["dependencies"].as_array()?.iter();
        let uses = uses.filter_map(|used| folder(Path::new(used["path"].as_str()?)));
        Some((folder_of_manifest(package)?, uses.collect()))
    };
    Ok(listed.filter_map(package).collect())
}

fn folder_of_manifest(value: &Value) -> Option<String> {
    folder(Path::new(value["manifest_path"].as_str()?).parent()?)
}

fn folder(path: &Path) -> Option<String> {
    let folder = path.strip_prefix(place::root()).ok()?;
    folder.to_str().map(str::to_owned)
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
fn concerned(packages: &Packages, files: &[String]) -> BTreeSet<String> {
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
        if file == STREAM_FORMS.0 {
            found.insert(STREAM_FORMS.1.to_owned());
        }
        // The texts of a room are in the catalogue.
        if is_in(file, &["kernel/", ROOMS]) && file.contains("/words/") {
            found.insert(CATALOGUE.to_owned());
            continue;
        }
        // The package in the deepest folder.
        let owners = packages
            .keys()
            .filter(|folder| Path::new(file).starts_with(folder));
        found.extend(owners.max_by_key(|folder| folder.len()).cloned());
    }
    loop {
        let before = found.len();
        for (package, uses) in packages {
            if !uses.is_disjoint(&found) {
                found.insert(package.clone());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Builds the native test programs; returns them with their packages.
fn programs() -> Result<Vec<(String, PathBuf)>> {
    let mut programs = Vec::new();
    let mut command: Command = exec::cargo();
    command
        .args(NATIVE)
        .args(["--no-run", "--message-format=json-render-diagnostics"]);
    let built = exec::lines(&mut command, |line| {
        let message: Value = serde_json::from_str(line).unwrap_or_default();
        let program = message["executable"].as_str().map(PathBuf::from);
        let program = program.filter(|_| message["profile"]["test"] == true);
        programs.extend(folder_of_manifest(&message).zip(program));
    })?;
    match built {
        true => Ok(programs),
        false => Err("the tests do not compile".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[&str]) -> Vec<String> {
        let package = |folder: &str, uses: &[&str]| {
            let uses = uses.iter().map(|folder| (*folder).to_owned());
            (folder.to_owned(), uses.collect())
        };
        let packages = BTreeMap::from([
            package("", &["crates/form", "kernel/log"]),
            package("crates/form", &["kernel/log"]),
            package("kernel/log", &["kernel/chat"]),
            package("kernel/chat", &[]),
            package("xtask", &[]),
        ]);
        let files: Vec<_> = files.iter().map(|file| (*file).to_owned()).collect();
        concerned(&packages, &files).into_iter().collect()
    }

    #[test]
    fn what_depends_on_a_changed_package_is_concerned() {
        assert_eq!(
            of(&["kernel/log/src/lib.rs"]),
            ["", "crates/form", "kernel/log"]
        );
        assert_eq!(of(&["src/program/flags.rs", "README.md"]), [""]);
        assert_eq!(of(&["xtask/src/main.rs"]), ["xtask"]);
        assert_eq!(of(&["rooms/speech/words/en.json"]), [CATALOGUE]);
        assert_eq!(of(&[STREAM_FORMS.0]), ["", STREAM_FORMS.1]);
        for there in [STREAM_FORMS.0, STREAM_FORMS.1, CATALOGUE] {
            assert!(place::root().join(there).exists(), "{there}");
        }
    }

    #[test]
    fn what_only_the_browser_runs_has_no_native_test() {
        assert_eq!(
            of(&["src/app.rs", "style/main.css", "end2end/tests/a.spec.ts"]),
            [""; 0]
        );
        assert_eq!(of(&["Cargo.lock"]).len(), 5);
    }
}
