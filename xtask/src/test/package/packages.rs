//! The files of a release for this machine, as `cargo xtask package` left them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Result, exec, place};

/// The Debian package.
pub fn debian() -> Result<PathBuf> {
    find(&format!("_{}.deb", architecture()))
}

/// Unpacks the archive into an empty folder, as README's line does, and returns the program.
pub fn unpack(folder: &Path) -> Result<PathBuf> {
    fs::remove_dir_all(folder).ok(); // The folder may not exist.
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    unpack_over(folder)
}

/// Unpacks the archive over what is in a folder, and returns the program.
pub fn unpack_over(folder: &Path) -> Result<PathBuf> {
    let archive = find(&format!("-Linux-{}.tar.gz", std::env::consts::ARCH))?;
    exec::run(
        exec::command("tar")
            .arg("-xzf")
            .arg(archive)
            .arg("-C")
            .arg(folder),
    )?;
    Ok(folder.join("sash/sash"))
}

/// Debian's name of this machine's processor.
fn architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}

/// The newest file in `target/dist` whose name ends like this.
fn find(end: &str) -> Result<PathBuf> {
    let folder = place::scratch().join("dist");
    let files = fs::read_dir(&folder).into_iter().flatten().flatten();
    let files = files.filter(|file| file.file_name().to_string_lossy().ends_with(end));
    let newest = files.max_by_key(|file| file.metadata().and_then(|about| about.modified()).ok());
    newest.map(|file| file.path()).ok_or_else(|| {
        format!(
            "{} has no file …{end}: run `cargo xtask package`",
            folder.display()
        )
    })
}
