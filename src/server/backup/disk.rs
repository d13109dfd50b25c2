//! Reads and writes single files: no link is followed, and there is never half a file.

use super::error::failed;
use sash_calls::BackupProblem;
use sash_wire::Fault;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

/// Writes the bytes of a new file. Tests have one that fails as a full disk does.
pub type WriteBytes = fn(&mut File, &[u8]) -> io::Result<()>;

/// Writes to the disk.
pub fn write_all(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)
}

/// What a failure means to the person. The cause is logged.
pub fn problem(error: &io::Error) -> Fault {
    tracing::warn!(%error, "the folder of the backup");
    failed(match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            BackupProblem::Full
        }
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => BackupProblem::Denied,
        ErrorKind::NotADirectory | ErrorKind::IsADirectory => BackupProblem::NotPlain,
        _ if is_link(error) => BackupProblem::NotPlain,
        _ => BackupProblem::Other,
    })
}

#[cfg(unix)]
fn is_link(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::ELOOP)
}

#[cfg(not(unix))]
fn is_link(_: &io::Error) -> bool {
    false
}

/// Options that follow no link and let nobody but the owner in.
fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // Opening a pipe would wait for its other end.
        options
            .mode(0o600)
            .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    options
}

/// Opens a file to read and write, and creates it where there is none.
pub fn open_or_create(path: &Path) -> io::Result<File> {
    let file = options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    plain(file)
}

/// Creates a file that is not there.
fn create(path: &Path) -> io::Result<File> {
    options().write(true).create_new(true).open(path)
}

fn plain(file: File) -> io::Result<File> {
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::from(ErrorKind::IsADirectory)),
    }
}

/// Reads a file of at most `limit` bytes; `None` if there is none. What is no text is replaced by the sign for that.
pub fn read(path: &Path, limit: u64) -> io::Result<Option<String>> {
    let bytes = read_bytes(path, limit)?;
    Ok(bytes.map(|bytes| match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    }))
}

/// Reads the bytes of a file of at most `limit` bytes; `None` if there is none.
pub fn read_bytes(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let file = match options().read(true).open(path).and_then(plain) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(io::Error::from(ErrorKind::InvalidData)),
        false => Ok(Some(bytes)),
    }
}

/// Writes a file as a whole: beside its place, to the disk, and then by its name. A failure leaves the former one.
pub fn replace(path: &Path, bytes: &[u8], write: WriteBytes) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let temporary = path.with_extension("new");
    remove(&temporary)?;
    let written = create(&temporary).and_then(|mut file| {
        write(&mut file, bytes)?;
        file.sync_all()
    });
    let placed = written.and_then(|()| fs::rename(&temporary, path));
    if placed.is_err() {
        // The first failure is the one that counts.
        remove(&temporary).ok();
    }
    placed?;
    sync_folder(folder)
}

/// Makes the names in a folder outlive a loss of power.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

/// Removes a file; a missing one is no error.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Makes a folder that only its owner can enter, unless there is one. A link to one is refused.
pub fn ensure_folder(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(io::Error::from(ErrorKind::NotADirectory)),
        Err(error) if error.kind() == ErrorKind::NotFound => create_folder(path),
        Err(error) => Err(error),
    }
}

fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(path)
}

/// Lets nobody but the owner in.
pub fn make_private(path: &Path, is_folder: bool) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = if is_folder { 0o700 } else { 0o600 };
        if fs::symlink_metadata(path)?.permissions().mode() & 0o777 != mode {
            fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
        }
    }
    #[cfg(not(unix))]
    let _ = (path, is_folder);
    Ok(())
}
