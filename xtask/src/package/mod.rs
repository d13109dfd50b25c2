//! `cargo xtask package`: the files of a release, for one target.
//!
//! | module | what it is for |
//! | --- | --- |
//! | `target` | what is packed for, and how its archive is called |
//! | `contents` | the files of an archive |
//! | `archive` | packs them, so that the same commit gives the same bytes |
//! | `debian` | the Debian package |
//! | `licences` | the licences of what is in the program and not ours |
//! | `grammars` | those of the grammars that colour code |
//! | `commit` | the time of all packed files |
//! | `notes` | the text of a release |

mod archive;
mod commit;
mod contents;
mod debian;
mod grammars;
mod licences;
mod notes;
mod target;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::client::Build;
use crate::names::sha256;
use crate::{Result, client, dist, exec, place, server, tools};
pub use notes::{notes, version};
pub use target::{RELEASED, Target};

/// Reads the command line of `cargo xtask package`.
pub fn command(arguments: &[String]) -> Result {
    let (options, words): (Vec<&str>, Vec<&str>) = arguments
        .iter()
        .map(String::as_str)
        .partition(|argument| argument.starts_with("--"));
    let page = match options.as_slice() {
        [] => Page::Build,
        ["--page-ready"] => Page::Ready,
        other => {
            return Err(format!(
                "there is no option {}; there is --page-ready",
                other.join(" ")
            ));
        }
    };
    match (words.as_slice(), page) {
        (["page"], Page::Build) => build_page(),
        (["notes", tag @ ..], Page::Build) if tag.len() < 2 => {
            print!("{}", notes(tag.first().copied())?);
            Ok(())
        }
        (["page" | "notes", ..], _) => {
            Err("page takes no other word or option, and notes only a tag".into())
        }
        ([], page) => package(&Target::of_this_machine()?, page).map(drop),
        ([triple], page) => package(&Target::parse(triple)?, page).map(drop),
        (more, _) => Err(format!(
            "one target at a time, not {}; what belongs to one is in target/dist afterwards",
            more.join(" ")
        )),
    }
}

/// Where the page and the licences come from, which are the same for all targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// They are built here.
    Build,
    /// They were built on another machine, and lie where [`build_page`] leaves them.
    Ready,
}

/// Builds the page and collects the licences: what is the same for all targets.
fn build_page() -> Result {
    client::build(Build::Release)?;
    licences::collect()
}

/// Packs the release for a target: archive, on Linux the Debian package, and their checksums. Returns archive and package.
pub fn package(target: &Target, page: Page) -> Result<Vec<PathBuf>> {
    match page {
        Page::Build => build_page()?,
        Page::Ready => is_ready(&[Build::Release.folder(), licences::folder()])?,
    }
    let program = server::release_for(target.triple())?.join(target.program("sash"));
    match target.runs_here() {
        true => dist::check(&program)?,
        false => println!("It was not started: it is for another system or processor."),
    }
    let since = Instant::now();
    let folder = place::scratch().join("dist");
    fs::create_dir_all(&folder).map_err(|e| format!("{} cannot be made: {e}", folder.display()))?;
    let commit = commit::head()?;
    let entries = contents::entries(target, &program)?;
    let file = folder.join(target.archive());
    archive::pack(&entries, &commit, &file)?;
    let mut files = vec![file];
    if let Some(name) = target.debian_package(&version()?) {
        let file = folder.join(name);
        debian::package(target, &commit, &file)?;
        files.push(file);
    }
    tools::remove_build_folder();
    for file in &files {
        write_sum(file)?;
        let bytes = fs::metadata(file).map_err(|e| e.to_string())?.len();
        println!("{} ({:.1} MB)", file.display(), bytes as f64 / 1e6);
    }
    println!("Packed ({}).", exec::seconds(since));
    Ok(files)
}

/// Whether these folders have something in them.
fn is_ready(folders: &[PathBuf]) -> Result {
    let is_empty = |folder: &&PathBuf| {
        let mut entries = fs::read_dir(folder).into_iter().flatten();
        entries.next().is_none()
    };
    match folders.iter().find(is_empty) {
        None => Ok(()),
        Some(folder) => Err(format!(
            "{} is empty: --page-ready takes what `cargo xtask package page` made",
            folder.display()
        )),
    }
}

/// Writes the checksum of a file beside it, in the form that `sha256sum --check` reads.
fn write_sum(file: &Path) -> Result {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let bytes = fs::read(file).map_err(|e| format!("{} is not readable: {e}", file.display()))?;
    let sum = file.with_file_name(format!("{name}.sha256"));
    fs::write(&sum, format!("{}  {name}\n", sha256(&bytes)))
        .map_err(|e| format!("{} cannot be written: {e}", sum.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(arguments: &[&str]) -> String {
        let arguments: Vec<_> = arguments.iter().map(|word| (*word).to_owned()).collect();
        command(&arguments).expect_err("it is refused before anything is built")
    }

    #[test]
    fn a_wrong_command_line_is_refused_in_a_sentence() {
        let why = refused(&["--page"]);
        assert_eq!(why, "there is no option --page; there is --page-ready");
        let why = refused(&["x86_64-apple-darwin", "aarch64-apple-darwin"]);
        assert!(why.starts_with("one target at a time"), "{why}");
        let why = refused(&["wasm32-unknown-unknown"]);
        assert!(why.contains("wasm32-unknown-unknown"), "{why}");
        for arguments in [&["page", "--page-ready"][..], &["notes", "v1", "v2"]] {
            let why = refused(arguments);
            assert!(why.starts_with("page takes no other word"), "{why}");
        }
    }

    #[test]
    fn a_page_that_did_not_come_is_said() {
        let folder = std::env::temp_dir().join(format!("sash-no-page-{}", std::process::id()));
        let why = is_ready(&[place::root(), folder.clone()]).unwrap_err();
        assert!(why.contains(&*folder.to_string_lossy()), "{why}");
        assert!(why.contains("cargo xtask package page"), "{why}");
        assert_eq!(is_ready(&[place::root()]), Ok(()));
    }

    #[test]
    fn a_checksum_is_a_line_that_sha256sum_reads() {
        let folder = std::env::temp_dir().join(format!("sash-sum-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("sash.tar.gz");
        fs::write(&file, "abc").unwrap();
        write_sum(&file).unwrap();
        let sum = fs::read_to_string(folder.join("sash.tar.gz.sha256")).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(
            sum,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  sash.tar.gz\n"
        );
    }
}
