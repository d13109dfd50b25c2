//! The command of README that fetches Sash, checks it and runs it: as it stands there, against a release on this machine.

mod machine;
mod release;

use machine::{Machine, machines, not_tried};
use release::{Release, Reply};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the program in the archive of an earlier release says.
const EARLIER: &str = "the earlier Sash runs";
/// What the program in the archive that is fetched says.
const FETCHED: &str = "the fetched Sash runs";
/// What is in a file that has nothing to do with Sash.
const OTHER: &[u8] = b"something else";

/// The command: the first block of README for a shell.
fn readme_command() -> String {
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let block = readme.split("```sh\n").nth(1).unwrap();
    let command = block.split("```").next().unwrap();
    assert!(command.contains(env!("CARGO_PKG_REPOSITORY")), "{command}");
    command.trim().to_owned()
}

/// A folder of a test, which is gone after it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("sash-install-{}-{count}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// The names in it, but for the archive's, which depends on the machine.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names
            .map(|name| match name.rsplit_once(".tar.gz") {
                Some((_, end)) => format!("ARCHIVE{end}"),
                None => name,
            })
            .collect();
        names.sort_unstable();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok(); // A folder of temporary files may stay.
    }
}

/// The bytes of an archive in which this program is Sash.
fn archive(program: &Path) -> Vec<u8> {
    let folder = Folder::new();
    fs::create_dir(folder.0.join("sash")).unwrap();
    fs::copy(program, folder.0.join("sash/sash")).unwrap();
    let mut pack = std::process::Command::new("sh");
    pack.args(["-c", "tar -cf - sash | gzip -1"]);
    pack.current_dir(&folder.0).output().unwrap().stdout
}

/// An archive of a program that only says this.
fn small_archive(says: &str) -> Vec<u8> {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let program = folder.0.join("program");
    fs::write(&program, format!("#!/bin/sh\necho {says}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    archive(&program)
}

/// What the command said, and whether it succeeded.
fn fetch(machine: &Machine, release: &Release, folder: &Folder, arguments: &str) -> (bool, String) {
    let command = readme_command().replace(env!("CARGO_PKG_REPOSITORY"), release.address());
    machine.run(&format!("{command}{arguments}"), &folder.0)
}

/// Runs the command in a folder where an earlier Sash was fetched, and where another file lies. The command must say
/// this, and run neither Sash.
fn check_refused(archive: &Reply, sum: &Reply, says: &str) {
    let earlier = small_archive(EARLIER);
    let earlier = Release::serve(Reply::File(earlier.clone()), Reply::sum_of(&earlier));
    let release = Release::serve(archive.clone(), sum.clone());
    for machine in machines() {
        let folder = Folder::new();
        fs::write(folder.0.join("other"), OTHER).unwrap();
        let (ran, said) = fetch(&machine, &earlier, &folder, "");
        assert!(ran && said.contains(EARLIER), "{machine}: {said}");
        let unpacked = fs::read(folder.0.join("sash/sash")).unwrap();

        let (ran, said) = fetch(&machine, &release, &folder, "");
        assert!(!ran, "{machine}: {said}");
        assert!(said.contains(says), "{machine}: {said}");
        for program in [EARLIER, FETCHED] {
            assert!(!said.contains(program), "{machine}: {said}");
        }
        assert_eq!(fs::read(folder.0.join("sash/sash")).unwrap(), unpacked);
        let left = ["ARCHIVE", "ARCHIVE.sha256", "other", "sash"];
        assert_eq!(folder.names(), left, "{machine}");
    }
}

#[test]
fn the_command_of_the_readme_fetches_checks_and_runs_sash() {
    let sash = archive(Path::new(env!("CARGO_BIN_EXE_sash")));
    let release = Release::serve(Reply::File(sash.clone()), Reply::sum_of(&sash));
    // The other tests would pass without a shell.
    assert!(machines().next().is_some(), "{:?}", not_tried());
    // One shell is enough for the large program.
    for machine in machines().take(1) {
        let folder = Folder::new();
        let (ran, said) = fetch(&machine, &release, &folder, " --version");
        assert!(ran, "{said}");
        let version = concat!("sash ", env!("CARGO_PKG_VERSION"));
        assert!(said.lines().any(|line| line.starts_with(version)), "{said}");
        assert_eq!(folder.names(), ["ARCHIVE", "ARCHIVE.sha256", "sash"]);
    }
}

#[test]
fn it_works_in_every_shell_and_replaces_an_earlier_sash() {
    for sentence in not_tried() {
        println!("skipped: {sentence}");
    }
    let [earlier, fetched] = [EARLIER, FETCHED].map(|says| {
        let archive = small_archive(says);
        Release::serve(Reply::File(archive.clone()), Reply::sum_of(&archive))
    });
    for machine in machines() {
        let folder = Folder::new();
        for (release, says) in [(&earlier, EARLIER), (&fetched, FETCHED)] {
            let (ran, said) = fetch(&machine, release, &folder, "");
            assert!(ran && said.contains(says), "{machine}: {said}");
        }
        assert_eq!(folder.names(), ["ARCHIVE", "ARCHIVE.sha256", "sash"]);
    }
}

#[test]
fn an_archive_with_another_sum_is_not_run() {
    let sum = Reply::sum_of(OTHER);
    check_refused(&Reply::File(small_archive(FETCHED)), &sum, "FAILED");
}

#[test]
fn an_archive_whose_sum_is_missing_is_not_run() {
    let archive = Reply::File(small_archive(FETCHED));
    check_refused(&archive, &Reply::Missing, "404");
}

#[test]
fn an_archive_whose_sum_is_empty_is_not_run() {
    let archive = Reply::File(small_archive(FETCHED));
    check_refused(&archive, &Reply::Text(String::new()), "sum");
}

#[test]
fn the_sum_of_another_file_is_not_taken_for_that_of_the_archive() {
    let archive = Reply::File(small_archive(FETCHED));
    let sum = format!("{}  other\n", release::sha256(OTHER));
    check_refused(&archive, &Reply::Text(sum), "FAILED");
}

#[test]
fn a_page_in_the_place_of_the_sum_is_not_taken_for_one() {
    let archive = Reply::File(small_archive(FETCHED));
    check_refused(&archive, &Reply::Text(release::PAGE.to_owned()), "sum");
}

#[test]
fn a_truncated_archive_is_not_unpacked() {
    let whole = small_archive(FETCHED);
    let half = whole[..whole.len() / 2].to_vec();
    check_refused(&Reply::File(half.clone()), &Reply::sum_of(&whole), "FAILED");
    check_refused(&Reply::Broken(half), &Reply::sum_of(&whole), "curl");
}

#[test]
fn an_archive_that_is_not_there_is_said() {
    let sum = Reply::sum_of(&small_archive(FETCHED));
    check_refused(&Reply::Missing, &sum, "404");
}

/// What an earlier download left fits its own sum, so only the failed step before keeps it from being started.
#[test]
fn a_release_that_is_not_there_starts_no_earlier_one() {
    check_refused(&Reply::Missing, &Reply::Missing, "404");
}

#[test]
fn a_page_in_the_place_of_the_archive_is_not_unpacked() {
    let sum = Reply::sum_of(&small_archive(FETCHED));
    check_refused(&Reply::Text(release::PAGE.to_owned()), &sum, "FAILED");
}
