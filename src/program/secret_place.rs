//! The place where the address with its code and the token are said: on standard output, but not where that is the journal, which keeps
//! them for weeks and shows them to others.

use sash_door::disk::{self, environment_path, state_directory};
use std::io;
use std::path::{Path, PathBuf};

/// Where secrets are said.
#[derive(Debug, PartialEq, Eq)]
pub enum SecretPlace {
    /// A terminal, a pipe, a container.
    Output,
    /// A file that only its owner reads, because standard output is the journal.
    File(PathBuf),
    /// Standard output is the journal, and there is no folder for a file.
    None,
}

impl SecretPlace {
    /// The place of the server on this port.
    pub fn find(port: u16) -> Self {
        match is_journal() {
            false => Self::Output,
            true => folder().map_or(Self::None, |folder| {
                Self::File(folder.join(format!("address-{port}")))
            }),
        }
    }

    /// Keeps secrets in the file. Returns the file.
    ///
    /// # Errors
    /// The file's, and that there is none.
    pub fn keep(&self, secrets: &str) -> io::Result<&Path> {
        let Self::File(file) = self else {
            return Err(io::ErrorKind::NotFound.into());
        };
        if let Some(folder) = file.parent() {
            disk::create_private(folder)?;
        }
        let temporary = file.with_extension("new");
        disk::replace(file, &temporary, secrets.as_bytes())?;
        Ok(file)
    }

    /// Keeps secrets in the file, and says where they are.
    pub fn sentence(&self, secrets: &str) -> String {
        match self.keep(secrets) {
            Ok(file) => format!(
                "The address that opens the page is in {}, not in the journal. Another user needs sudo to read it.",
                sash_words::in_one_line(&file.display().to_string())
            ),
            Err(error) => format!(
                "The address that opens the page could only be printed to the journal, so it was not printed ({error}). Add RuntimeDirectory=sash to the service."
            ),
        }
    }
}

/// The folder for the file: what systemd made for the service, or else the user's own.
fn folder() -> Option<PathBuf> {
    let own = || environment_path("XDG_RUNTIME_DIR").map(|folder| folder.join("sash"));
    environment_path("RUNTIME_DIRECTORY")
        .or_else(|| environment_path("STATE_DIRECTORY"))
        .or_else(own)
        .or_else(state_directory)
}

/// Whether standard output is systemd's journal: `JOURNAL_STREAM` has the device and the inode of the stream, and what the
/// service starts inherits the variable.
#[cfg(unix)]
fn is_journal() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let Some(stream) = std::env::var_os("JOURNAL_STREAM") else {
        return false;
    };
    let told = stream.to_str().and_then(|stream| {
        let (device, inode) = stream.split_once(':')?;
        Some((device.parse::<u64>().ok()?, inode.parse::<u64>().ok()?))
    });
    let own = io::stdout().as_fd().try_clone_to_owned();
    let own = own.and_then(|own| std::fs::File::from(own).metadata());
    match (told, own) {
        (Some(told), Ok(own)) => told == (own.dev(), own.ino()),
        // Where it cannot be told a secret is not printed.
        _ => true,
    }
}

#[cfg(not(unix))]
fn is_journal() -> bool {
    false
}
