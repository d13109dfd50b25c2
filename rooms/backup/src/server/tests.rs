//! The directory on a real disk, against whatever may be in it.

mod disk;
mod http;
mod killed;
mod news;
mod opening;
mod sashes;

use super::{Backup, BackupPlaces};
use crate::call::{ListedCopy, PurgeRequest, Purged, Put, PutRequest};
use crate::clock::Fields;
use crate::form::{CopyId, Standing};
use crate::{BackupFault, BackupProblem};
use sash_chat::{Head, Id, Message, Role};
use sash_log::{Key, encode_record};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

const ME: Id = Id(0xb1);
const OTHER: Id = Id(0xb2);
const CHAT: Id = Id(7);
const NEXT_CHAT: Id = Id(8);

const NOT_PLAIN: BackupFault = BackupFault::Failed {
    problem: BackupProblem::NotPlain,
};

/// A directory of the system's temporary ones that goes with the test: in it are the backup and the keys.
struct Place(PathBuf);

impl Place {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("sash-new-backup-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).unwrap();
        Self(path.canonicalize().unwrap())
    }

    fn places(&self) -> BackupPlaces {
        BackupPlaces {
            directory: self.root(),
            state: Some(self.0.join("state")),
        }
    }

    fn root(&self) -> PathBuf {
        self.0.join("backup")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    fn open(&self) -> Backup {
        Backup::open(&self.places())
            .map_err(|error| error.0)
            .unwrap()
    }

    fn refused(&self) -> String {
        Backup::open(&self.places()).unwrap_err().0
    }

    fn copy(&self, chat: Id, browser: Id) -> PathBuf {
        self.path(&format!("chats/{chat}/{browser}.jsonl"))
    }

    /// The paths of all files in the backup that have these bytes.
    fn having(&self, bytes: &str) -> Vec<PathBuf> {
        let mut found = files_below(&self.root());
        found.retain(|path| {
            let text = fs::read(path).unwrap();
            text.windows(bytes.len())
                .any(|part| part == bytes.as_bytes())
        });
        found
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// All plain files of a directory, over no link.
fn files_below(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            found.extend(files_below(&entry.path()));
        } else if kind.is_file() {
            found.push(entry.path());
        }
    }
    found.sort();
    found
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
}

fn line(key: Key, value: &impl serde::Serialize) -> String {
    sash_form::lines::line(&key.to_string(), &encode_record(value)).unwrap()
}

/// The lines of a chat with these messages, each the question of its own branch.
fn lines(chat: Id, texts: &[(u64, &str)]) -> String {
    let mut text = line(Key::Head(chat), &Head::new(chat, 0));
    for (n, content) in texts {
        let seq = u32::try_from(*n).unwrap();
        let message = Message {
            content: (*content).to_owned(),
            ..Message::new(Id(*n), None, seq, Role::User, 0)
        };
        text += &line(Key::Message(chat, seq, Id(*n)), &message);
    }
    text
}

fn request(browser: Id, chat: Id, texts: &[(u64, &str)]) -> PutRequest {
    PutRequest {
        chat,
        browser,
        write: 0,
        lines: lines(chat, texts),
        state: format!("state of {}", texts.len()),
        title: "A title".to_owned(),
        running: Vec::new(),
        fields: Fields::new(),
    }
}

impl Backup {
    fn put(&self, request: &PutRequest) -> Result<Put, BackupFault> {
        self.change(request.chat, async |it| it.put(request).await)
    }

    fn purge(&self, request: &PurgeRequest) -> Result<Purged, BackupFault> {
        self.change(request.chat, async |it| it.purge(request).await)
    }

    /// Up to where there are news.
    fn at(&self) -> u64 {
        self.news.borrow().at
    }
}

fn put(backup: &Backup, browser: Id, chat: Id, texts: &[(u64, &str)]) -> Put {
    backup.put(&request(browser, chat, texts)).unwrap()
}

fn purge_request(browser: Id, chat: Id, ids: &[u64]) -> PurgeRequest {
    PurgeRequest {
        chat,
        browser,
        ids: ids.iter().copied().map(Id).collect(),
        is_whole: false,
        is_last: true,
    }
}

fn get(backup: &Backup, chat: Id, browser: Id) -> Result<String, BackupFault> {
    let of = CopyId { chat, browser };
    let got = backup.read(async |it| it.get(of).await);
    got.map(|copy| copy.text)
}

fn listed(backup: &Backup, chat: Id, browser: Id) -> Option<ListedCopy> {
    let mut copies = backup.list().unwrap().copies.into_iter();
    copies.find(|copy| (copy.chat, copy.browser) == (chat, browser))
}

fn standing(backup: &Backup, chat: Id, browser: Id) -> Option<Standing> {
    listed(backup, chat, browser).map(|copy| copy.standing)
}
