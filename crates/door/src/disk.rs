//! Files that only their owner reads: no link is followed, and there is never half of one.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use crate::System;

/// How often a file is replaced or removed that another program has open, and the pause before each new attempt.
const ATTEMPTS: usize = 10;
const PAUSE: Duration = Duration::from_millis(50);
/// The errors of Windows for such a file: "access denied" and "sharing violation".
const OPEN_ELSEWHERE: [i32; 2] = [5, 32];

/// The error of what is no plain file: a directory, a link, a pipe, a socket, a device.
#[must_use]
pub fn not_plain() -> io::Error {
    io::Error::new(ErrorKind::NotADirectory, "it is no plain file or directory")
}

/// Options that follow no link and let nobody but the owner in.
#[cfg(unix)]
fn options() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    // Opening a pipe would wait for its other end.
    options
        .mode(0o600)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    options
}

/// Options for a file, which has the permissions of its directory. [`find`] looks before whether it is a link.
#[cfg(not(unix))]
fn options() -> OpenOptions {
    OpenOptions::new()
}

/// What is known of a plain file; `None` if there is none.
///
/// # Errors
/// [`not_plain`], and those of the disk.
pub fn find(path: &Path) -> io::Result<Option<fs::Metadata>> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => Ok(Some(found)),
        Ok(_) => Err(not_plain()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The first `bytes` of a file, or all of a shorter one; `None` if there is none.
///
/// # Errors
/// [`not_plain`], and those of the disk.
pub fn read_first(path: &Path, bytes: u64) -> io::Result<Option<Vec<u8>>> {
    // Opening a device may already do something.
    find(path)?;
    let file = match options().read(true).open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    // Another program may have replaced it meanwhile.
    if !file.metadata()?.is_file() {
        return Err(not_plain());
    }
    let mut first = Vec::new();
    file.take(bytes).read_to_end(&mut first)?;
    Ok(Some(first))
}

/// The bytes of a file; `None` if there is none.
///
/// # Errors
/// [`ErrorKind::InvalidData`] for one of more than `limit` bytes, which is read no further, also if it grows meanwhile;
/// [`not_plain`], and those of the disk.
pub fn read(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    match read_first(path, limit.saturating_add(1))? {
        Some(bytes) if bytes.len() as u64 > limit => Err(ErrorKind::InvalidData.into()),
        bytes => Ok(bytes),
    }
}

/// Writes a file as a whole: under a temporary name, to the disk, and then under its own. A failure leaves the former one.
///
/// # Errors
/// Those of the disk.
pub fn replace(path: &Path, temporary: &Path, bytes: &[u8]) -> io::Result<()> {
    remove(temporary)?;
    let rename = || retry_while_open(System::HERE, || fs::rename(temporary, path));
    let placed = write_new(temporary, bytes).and_then(|()| rename());
    if placed.is_err() {
        // The first failure is the one that counts.
        remove(temporary).ok();
    }
    placed?;
    sync_parent(path)
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = options().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes the name of a file outlive a loss of power.
///
/// # Errors
/// Those of the disk.
pub fn sync_parent(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if let Some(parent) = path.parent() {
        fs::File::open(parent)?.sync_all()?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// Removes a file; a missing one is no error.
///
/// # Errors
/// Those of the disk.
pub fn remove(path: &Path) -> io::Result<()> {
    match retry_while_open(System::HERE, || fs::remove_file(path)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Tries again while another program has the file open. On Windows a virus scanner, or a program that synchronises, opens each
/// new file for a moment, and such a file can be neither replaced nor removed; elsewhere it can.
fn retry_while_open(system: System, mut attempt: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    for _ in 1..ATTEMPTS {
        let is_open = |error: &io::Error| {
            let code = error.raw_os_error();
            system == System::Windows && code.is_some_and(|code| OPEN_ELSEWHERE.contains(&code))
        };
        match attempt() {
            Err(error) if is_open(&error) => sleep(PAUSE),
            done => return done,
        }
    }
    attempt()
}

/// Whether there is a directory.
///
/// # Errors
/// [`not_plain`] for anything else, also for a link to a directory, and those of the disk.
pub fn is_directory(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => Ok(true),
        Ok(_) => Err(not_plain()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Makes a directory that only its owner can enter, and those that it is in, unless there is one.
///
/// # Errors
/// Those of the disk.
pub fn create_private(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// Lets nobody but the owner read a file or enter a directory. Windows gives each the permissions of the directory that it
/// is in, and this leaves them.
///
/// # Errors
/// Those of the disk.
pub fn make_private(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let found = fs::symlink_metadata(path)?;
        let mode = if found.is_dir() { 0o700 } else { 0o600 };
        if !found.is_symlink() && found.permissions().mode() & 0o777 != mode {
            fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
        }
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;
    use std::path::PathBuf;

    fn place(name: &str) -> PathBuf {
        let place = std::env::temp_dir().join(format!("sash-disk-{}-{name}", std::process::id()));
        fs::remove_dir_all(&place).ok();
        fs::create_dir(&place).unwrap();
        place
    }

    #[test]
    fn what_is_no_plain_file_is_neither_read_nor_waited_for() {
        let place = place("plain");
        fs::write(place.join("file"), "secret").unwrap();
        symlink(place.join("file"), place.join("link")).unwrap();
        symlink(place.join("nothing"), place.join("dangling")).unwrap();
        let _socket = UnixListener::bind(place.join("socket")).unwrap();
        let made = std::process::Command::new("mkfifo")
            .arg(place.join("pipe"))
            .status();
        assert!(made.unwrap().success());
        for name in ["link", "dangling", "socket", "pipe", "."] {
            let path = place.join(name);
            let refused = read(&path, 100).unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::NotADirectory, "{name}");
        }
        assert!(!place.join("nothing").exists());
        assert_eq!(read(&place.join("nothing"), 100).unwrap(), None);
        fs::remove_dir_all(place).unwrap();
    }

    #[test]
    fn a_file_is_read_up_to_its_limit_and_of_a_longer_one_nothing() {
        let place = place("limit");
        let path = place.join("file");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read(&path, 5).unwrap().unwrap(), b"12345");
        assert_eq!(read_first(&path, 2).unwrap().unwrap(), b"12");
        let refused = read(&path, 4).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::InvalidData);
        fs::remove_dir_all(place).unwrap();
    }

    #[test]
    fn a_failed_write_leaves_what_was_there_and_nothing_beside_it() {
        let place = place("failed");
        let (path, temporary) = (place.join("file"), place.join("file.new"));
        replace(&path, &temporary, b"former").unwrap();
        let directory = place.join("directory");
        create_private(&directory.join("inner")).unwrap();
        replace(&directory, &temporary, b"later").unwrap_err();
        assert!(directory.join("inner").is_dir() && !temporary.exists());
        assert_eq!(read(&path, 100).unwrap().unwrap(), b"former");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o600);
        assert_eq!(
            [mode(&directory), mode(&directory.join("inner"))],
            [0o700; 2]
        );
        assert!(create_private(&path).is_err());
        fs::remove_dir_all(place).unwrap();
    }

    #[test]
    fn a_file_that_another_program_has_open_is_tried_again_on_windows_alone() {
        let tried = |system, code, failures| {
            let mut count = 0;
            let done = retry_while_open(system, || {
                count += 1;
                match count > failures {
                    true => Ok(()),
                    false => Err(io::Error::from_raw_os_error(code)),
                }
            });
            (done.is_ok(), count)
        };
        for code in OPEN_ELSEWHERE {
            assert_eq!(tried(System::Windows, code, 2), (true, 3), "{code}");
            assert_eq!(tried(System::Linux, code, 2), (false, 1), "{code}");
        }
        assert_eq!(tried(System::Windows, 5, usize::MAX), (false, ATTEMPTS));
        const DISK_FULL: i32 = 112;
        assert_eq!(tried(System::Windows, DISK_FULL, 2), (false, 1));
    }
}
