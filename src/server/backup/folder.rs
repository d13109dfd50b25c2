//! The folder: where what is, and that it is ours.

use super::disk::{self, WriteBytes};
use super::error::{BackupError, failed};
use sash_backup::{FolderEntry, README, VERSIONING, is_readme};
use sash_calls::BackupProblem;
use sash_wire::Fault;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The most bytes of a README that are read.
const MAX_README_BYTES: u64 = 16 * 1024;

/// The folder of a backup.
pub struct Folder {
    root: PathBuf,
    pub(super) write: WriteBytes,
}

impl Folder {
    /// Opens the folder, or creates it. A folder that has other things in it is refused.
    pub fn open(path: &Path) -> Result<Self, BackupError> {
        let said = path.display();
        let cannot = |error: io::Error| {
            BackupError(format!(
                "--backup: {said} cannot be used as a folder: {error}."
            ))
        };
        // The person may name a link; within the folder none is followed.
        let found = fs::symlink_metadata(path);
        if found.is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            let parent = path.parent();
            if let Some(parent) = parent.filter(|parent| !parent.as_os_str().is_empty()) {
                fs::create_dir_all(parent).map_err(cannot)?;
            }
            disk::ensure_folder(path).map_err(cannot)?;
        }
        let root = fs::canonicalize(path).map_err(cannot)?;
        let mut entries = fs::read_dir(&root).map_err(cannot)?;
        let is_ours = root.join("key").symlink_metadata().is_ok() || is_chosen_in_browser(&root);
        if !is_ours && entries.any(|entry| entry.is_ok_and(|entry| !is_versioning(&entry))) {
            return Err(BackupError(format!(
                "--backup: {said} is not empty and is not a Sash backup. Name a new or empty folder."
            )));
        }
        disk::make_private(&root, true).map_err(cannot)?;
        Ok(Self {
            root,
            write: disk::write_all,
        })
    }

    /// Makes the folders in it, and the file that explains them.
    pub fn prepare(&self) -> Result<(), BackupError> {
        let readme = self.path("README.txt");
        let prepared = self
            .ensure("chats")
            .and_then(|()| self.ensure("images"))
            .and_then(|()| self.ensure("versions"))
            .and_then(|()| match fs::symlink_metadata(&readme) {
                Ok(_) => Ok(()),
                Err(_) => disk::replace(&readme, README.as_bytes(), self.write),
            });
        prepared.map_err(|error| {
            let said = self.root.display();
            BackupError(format!("--backup: {said} cannot be written: {error}."))
        })
    }

    fn ensure(&self, name: &str) -> io::Result<()> {
        disk::ensure_folder(&self.path(name))
    }

    /// The folder's own path, for the person.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A place in the folder. `name` is one of ours.
    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Writes a file in one of the folders, as a whole.
    pub fn replace(&self, path: &Path, bytes: &[u8]) -> Result<(), Fault> {
        let written = self.ensure_folders_of(path);
        let written = written.and_then(|()| disk::replace(path, bytes, self.write));
        written.map_err(|error| disk::problem(&error))
    }

    /// Gives a file a second name, or makes a copy where the disk has no second names; leaves what has that name.
    pub fn copy(&self, from: &Path, to: &Path, limit: u64) -> Result<(), Fault> {
        let ready = self.ensure_folders_of(to);
        ready.map_err(|error| disk::problem(&error))?;
        if to.symlink_metadata().is_ok() || fs::hard_link(from, to).is_ok() {
            return Ok(());
        }
        let bytes = disk::read_bytes(from, limit).map_err(|error| disk::problem(&error))?;
        self.replace(to, &bytes.unwrap_or_default())
    }

    /// Makes the folders between this one and a file.
    fn ensure_folders_of(&self, path: &Path) -> io::Result<()> {
        let folders = path.ancestors().skip(1);
        let mut folders: Vec<_> = folders
            .take_while(|folder| *folder != self.root.as_path())
            .collect();
        folders.reverse();
        folders.into_iter().try_for_each(disk::ensure_folder)
    }

    /// The bytes of a file; `None` if there is none.
    pub fn read(&self, path: &Path, limit: u64) -> Result<Option<Vec<u8>>, Fault> {
        self.check_folder_of(path)?;
        disk::read_bytes(path, limit).map_err(|error| disk::problem(&error))
    }

    /// The size of a file in bytes; `None` if there is none.
    pub fn size(&self, path: &Path) -> Result<Option<u64>, Fault> {
        match path.symlink_metadata() {
            Ok(found) if found.is_file() => Ok(Some(found.len())),
            Ok(_) => Err(failed(BackupProblem::NotPlain)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(disk::problem(&error)),
        }
    }

    /// Refuses a place whose folder is a link.
    fn check_folder_of(&self, path: &Path) -> Result<(), Fault> {
        let folder = path.parent().unwrap_or(&self.root);
        match fs::symlink_metadata(folder) {
            Ok(found) if !found.is_dir() => Err(failed(BackupProblem::NotPlain)),
            _ => Ok(()),
        }
    }

    /// The entries of one of the folders. A missing folder is an empty one.
    pub fn entries(&self, folder: &Path) -> Result<Vec<FolderEntry>, Fault> {
        match fs::symlink_metadata(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(disk::problem(&error)),
            Ok(found) if !found.is_dir() => return Err(failed(BackupProblem::NotPlain)),
            Ok(_) => {}
        }
        let entries = fs::read_dir(folder).map_err(|error| disk::problem(&error))?;
        let mut found: Vec<FolderEntry> = entries
            .filter_map(Result::ok)
            .map(|entry| FolderEntry {
                name: entry.file_name().to_string_lossy().into_owned(),
                is_file: entry.file_type().is_ok_and(|kind| kind.is_file()),
            })
            .collect();
        found.sort();
        Ok(found)
    }

    /// Whether the folder is under version control, which keeps what is deleted.
    pub fn is_versioned(&self) -> bool {
        let mut folders = self.root.ancestors().take(8);
        folders.any(|folder| VERSIONING.iter().any(|name| folder.join(name).exists()))
    }
}

/// Whether a page keeps its backup in this folder, which the person chose in the browser: there is no key then.
fn is_chosen_in_browser(root: &Path) -> bool {
    let readme = disk::read_bytes(&root.join("README.txt"), MAX_README_BYTES);
    readme.is_ok_and(|readme| is_readme(&readme.unwrap_or_default()))
}

fn is_versioning(entry: &fs::DirEntry) -> bool {
    let name = entry.file_name();
    VERSIONING.iter().any(|known| name == *known) || name == ".gitignore"
}
