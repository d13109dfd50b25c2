//! The folder: where what is, and that it is ours.

use super::disk::{self, WriteBytes};
use super::error::{BackupError, failed};
use sash_chat::{Id, ImageFormat, ImageHash};
use sash_wire::{BackupProblem, Fault};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The most bytes of a file of a chat that are read. One that Sash wrote is never longer.
pub const MAX_CHAT_BYTES: u64 = 2 * sash_wire::MAX_BACKUP_CHAT as u64;

const README: &str = "This folder is a backup that Sash keeps (sash --backup).

chats/     one chat each, a record a line (JSON Lines); Sash imports each of these files
images/    the images of the messages, named after their SHA-256
prompts-and-folders.jsonl  the prompts that you keep, and the folders of the list
versions/  what a chat's file was before, for 30 days; files that were changed from outside, as they were
key        who knows it can read and write all of this; the address that Sash prints holds it
lock       which Sash uses the folder now

The folder can be copied, synchronised and put under version control while Sash runs. A file that is changed here is
set aside in versions/ when its chat is written again. What is deleted for good in Sash is removed from these files, but
not from copies of them.
";

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
        let is_ours = root.join("key").symlink_metadata().is_ok();
        if !is_ours && entries.any(|entry| entry.is_ok_and(|entry| !is_versioning(&entry))) {
            return Err(BackupError(format!(
                "--backup: {said} is not empty and is no backup of Sash. Name a folder that is new or empty."
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

    /// Where a chat is.
    pub fn chat(&self, chat: Id) -> PathBuf {
        self.path("chats").join(format!("{chat}.jsonl"))
    }

    /// Where the older versions of a chat are.
    pub fn versions(&self, chat: Id) -> PathBuf {
        self.path("versions").join(chat.to_string())
    }

    /// Where an image is, by its format.
    pub fn image(&self, hash: ImageHash, format: ImageFormat) -> PathBuf {
        let extension = match format {
            ImageFormat::Jpeg => "jpg",
            ImageFormat::Png => "png",
        };
        self.path("images").join(format!("{hash}.{extension}"))
    }

    /// Writes a file in one of the folders, as a whole.
    pub fn replace(&self, path: &Path, bytes: &[u8]) -> Result<(), Fault> {
        let folder = path.parent().unwrap_or(&self.root);
        let written = disk::ensure_folder(folder);
        let written = written.and_then(|()| disk::replace(path, bytes, self.write));
        written.map_err(|error| disk::problem(&error))
    }

    /// Reads a file; `None` if there is none.
    pub fn read(&self, path: &Path) -> Result<Option<String>, Fault> {
        self.check_folder_of(path)?;
        disk::read(path, MAX_CHAT_BYTES).map_err(|error| disk::problem(&error))
    }

    /// Refuses a place whose folder is a link.
    pub fn check_folder_of(&self, path: &Path) -> Result<(), Fault> {
        let folder = path.parent().unwrap_or(&self.root);
        match fs::symlink_metadata(folder) {
            Ok(found) if !found.is_dir() => Err(failed(BackupProblem::NotPlain)),
            _ => Ok(()),
        }
    }

    /// The entries of one of the folders: each with its name, and whether it is a plain file. A missing folder is an
    /// empty one.
    pub fn entries(&self, folder: &Path) -> Result<Vec<(String, bool)>, Fault> {
        match fs::symlink_metadata(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(disk::problem(&error)),
            Ok(found) if !found.is_dir() => return Err(failed(BackupProblem::NotPlain)),
            Ok(_) => {}
        }
        let entries = fs::read_dir(folder).map_err(|error| disk::problem(&error))?;
        let mut found: Vec<(String, bool)> = entries
            .filter_map(Result::ok)
            .map(|entry| {
                let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
                (entry.file_name().to_string_lossy().into_owned(), is_file)
            })
            // What a killed Sash was writing.
            .filter(|(name, _)| !name.ends_with(".new"))
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

const VERSIONING: [&str; 4] = [".git", ".hg", ".jj", ".svn"];

fn is_versioning(entry: &fs::DirEntry) -> bool {
    let name = entry.file_name();
    VERSIONING.iter().any(|known| name == *known) || name == ".gitignore"
}
