//! `build.rs` in a small package of its own: what a build knows of its commit, and what recompiles it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A package whose program prints its commit and its date, with the build script of Sash.
struct Package(PathBuf);

impl Drop for Package {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok(); // A leftover folder is harmless.
    }
}

impl Package {
    fn new(name: &str) -> Self {
        let name = format!("sash-build-{}-{name}", std::process::id());
        let package = Self(std::env::temp_dir().join(name));
        fs::create_dir_all(package.folder().join("src")).unwrap();
        let manifest =
            "[package]\nname = \"said\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
        package.write("Cargo.toml", manifest);
        package.write("build.rs", include_str!("../../build.rs"));
        let main = r#"fn main() { println!("{:?} {:?}", option_env!("SASH_BUILD_COMMIT"), option_env!("SASH_BUILD_DATE")); }"#;
        package.write("src/main.rs", main);
        package.write(".gitignore", "/target\n/Cargo.lock\n");
        // Where it is missing, cargo runs the script of a release each time.
        package.write("dist-release/index.html", "");
        package
    }

    fn folder(&self) -> PathBuf {
        self.0.join("package")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Commits everything; in UTC the day is the one before. Returns the digits that are said.
    fn commit(&self) -> String {
        if !self.folder().join(".git").exists() {
            git(&self.folder(), &["init", "--quiet"]);
        }
        git(&self.folder(), &["add", "."]);
        let message = ["commit", "--quiet", "--allow-empty", "--message=One"];
        git(&self.folder(), &message);
        git(&self.folder(), &["rev-parse", "HEAD"])[..9].to_owned()
    }
}

/// Whether git is installed; says so where it is not.
fn has_git() -> bool {
    let found = Command::new("git").arg("--version").output().is_ok();
    if !found {
        eprintln!("skipped: git is not installed");
    }
    found
}

/// A command in a folder whose repository is the one that is found from there: a hook of git names another.
fn command(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder);
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    command
}

/// What git prints in a folder, whatever the person's configuration says.
fn git(folder: &Path, arguments: &[&str]) -> String {
    let at = "2026-02-01T01:30:00+05:00";
    let output = command("git", folder)
        .args(arguments)
        .envs([("GIT_AUTHOR_DATE", at), ("GIT_COMMITTER_DATE", at)])
        .envs([
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
        ])
        .envs([
            ("GIT_AUTHOR_NAME", "A"),
            ("GIT_AUTHOR_EMAIL", "a@sash.example"),
        ])
        .envs([
            ("GIT_COMMITTER_NAME", "A"),
            ("GIT_COMMITTER_EMAIL", "a@sash.example"),
        ])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Builds the package in a folder and runs it, with these variables.
fn run(folder: &Path, profile: &[&str], variables: &[(&str, &str)]) -> Output {
    command(env!("CARGO"), folder)
        .args(["run", "--offline", "--target-dir", "target"])
        .args(profile)
        .env_remove("SASH_COMMIT")
        .env_remove("SASH_DATE")
        .env_remove("CARGO_TARGET_DIR")
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

/// What a build says of its commit, and whether it was compiled.
fn said(folder: &Path, profile: &[&str], variables: &[(&str, &str)]) -> (String, bool) {
    let output = run(folder, profile, variables);
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{log}");
    let said = String::from_utf8(output.stdout).unwrap().trim().to_owned();
    (said, log.contains("Compiling said"))
}

const RELEASE: &[&str] = &["--release"];
const NOTHING: &str = "None None";

fn known(commit: &str) -> String {
    format!("Some({commit:?}) Some(\"2026-01-31\")")
}

#[test]
fn a_release_says_its_commit_and_follows_the_next_one_and_a_debug_build_is_not_compiled_for_it() {
    if !has_git() {
        return;
    }
    let package = Package::new("git");
    let folder = package.folder();
    let first = package.commit();
    assert_eq!(said(&folder, RELEASE, &[]), (known(&first), true));
    assert_eq!(said(&folder, RELEASE, &[]), (known(&first), false));
    assert_eq!(said(&folder, &[], &[]), (NOTHING.to_owned(), true));
    let second = package.commit();
    assert_ne!(first, second);
    assert_eq!(said(&folder, RELEASE, &[]), (known(&second), true));
    assert_eq!(said(&folder, &[], &[]), (NOTHING.to_owned(), false));
}

#[test]
fn a_release_in_a_worktree_says_the_commit_of_the_worktree() {
    if !has_git() {
        return;
    }
    let package = Package::new("worktree");
    let first = package.commit();
    let tree = package.0.join("tree");
    git(
        &package.folder(),
        &["worktree", "add", "--quiet", "../tree"],
    );
    package.commit();
    assert_eq!(said(&tree, RELEASE, &[]), (known(&first), true));
    git(
        &tree,
        &["commit", "--quiet", "--allow-empty", "--message=Three"],
    );
    let third = git(&tree, &["rev-parse", "HEAD"])[..9].to_owned();
    assert_eq!(said(&tree, RELEASE, &[]), (known(&third), true));
}

#[test]
fn a_release_without_a_repository_of_its_own_says_what_the_packager_says() {
    if !has_git() {
        return;
    }
    let package = Package::new("packager");
    let folder = package.folder();
    git(&package.0, &["init", "--quiet"]);
    git(
        &package.0,
        &["commit", "--quiet", "--allow-empty", "--message=Other"],
    );
    let nothing = said(&folder, RELEASE, &[]).0;
    assert_eq!(nothing, NOTHING, "the repository around is another's");
    let commit = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d";
    let variables = [("SASH_COMMIT", commit), ("SASH_DATE", "2026-01-31")];
    for profile in [RELEASE, &[]] {
        assert_eq!(said(&folder, profile, &variables).0, known("1a2b3c4d5"));
    }
    let empty = [("SASH_COMMIT", " "), ("SASH_DATE", "")];
    assert_eq!(said(&folder, &[], &empty).0, NOTHING);
    for (name, value, reason) in [
        ("SASH_COMMIT", "v0.1.0", "at least 9 digits"),
        ("SASH_COMMIT", "1a2b3c4", "at least 9 digits"),
        ("SASH_DATE", "31.1.2026", "such as 2026-01-31"),
        ("SASH_DATE", "2026-01-3x", "such as 2026-01-31"),
    ] {
        let output = run(&folder, &[], &[(name, value)]);
        let log = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success());
        assert!(log.contains(&format!("{name} is “{value}”")), "{log}");
        assert!(log.contains(reason), "{log}");
    }
}
