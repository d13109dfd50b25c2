//! The files of a release for this machine, as `cargo xtask package` left them. They must be of the commit that is checked
//! out; changes since then that are not committed cannot be told.

use std::fs;
use std::path::{Path, PathBuf};

use crate::package::{self, Target};
use crate::{Result, exec, place};

/// The Debian package.
pub fn debian() -> Result<PathBuf> {
    let name = Target::of_this_machine()?.debian_package(&package::version()?);
    find(&name.ok_or("there is no Debian package for this machine")?)
}

/// Unpacks the archive into an empty folder, as README's line does, and returns the program.
pub fn unpack(folder: &Path) -> Result<PathBuf> {
    fs::remove_dir_all(folder).ok(); // The folder may not exist.
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let program = unpack_over(folder)?;
    check_commit(&exec::output(exec::command(&program).arg("--version"))?)?;
    Ok(program)
}

/// Unpacks the archive over what is in a folder, and returns the program.
pub fn unpack_over(folder: &Path) -> Result<PathBuf> {
    let archive = find(&Target::of_this_machine()?.archive())?;
    exec::run(
        exec::command("tar")
            .arg("-xzf")
            .arg(archive)
            .arg("-C")
            .arg(folder),
    )?;
    Ok(folder.join("sash/sash"))
}

/// Checks that a program, by what its `--version` says, was built from the commit that is checked out.
pub fn check_commit(version: &str) -> Result {
    let head = exec::output(exec::command("git").args(["rev-parse", "HEAD"]))?;
    match commit(version).is_some_and(|commit| head.starts_with(commit)) {
        true => Ok(()),
        false => Err(format!(
            "the packed program is {}, and the commit is {}: run `cargo xtask package` first",
            version.trim(),
            head.trim()
        )),
    }
}

/// The commit of a program, as in `sash 0.1.0 (8eb2dc4a1 2026-11-28)`.
fn commit(version: &str) -> Option<&str> {
    let (_, build) = version.split_once('(')?;
    build.split_whitespace().next()
}

/// A file in `target/dist`.
fn find(name: &str) -> Result<PathBuf> {
    let file = place::scratch().join("dist").join(name);
    match file.is_file() {
        true => Ok(file),
        false => Err(format!(
            "{} is not there: run `cargo xtask package` first",
            file.display()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_of_another_commit_is_refused() {
        let head = exec::output(exec::command("git").args(["rev-parse", "HEAD"])).unwrap();
        let said = format!("sash 0.1.0 ({} 2026-11-28)\n", &head[..9]);
        assert_eq!(check_commit(&said), Ok(()));
        for other in ["sash 0.1.0\n", "sash 0.1.0 (000000000 2026-11-28)\n"] {
            let why = check_commit(other).unwrap_err();
            assert!(
                why.contains(other.trim()) && why.contains("cargo xtask package"),
                "{why}"
            );
        }
    }
}
