//! The folder of a backup in memory, with the rules of the server's.

use futures::FutureExt;
use futures::future::{LocalBoxFuture, ready};
use sash_chat::{Id, ImageHash};
use sash_transfer::backup::{BackupFile, BackupRecord, merge, purge_messages};
use sash_wire::{
    BackedUpChat, BackupFileState, BackupGetImageRequest, BackupGetRequest, BackupKey, BackupList,
    BackupListRequest, BackupPurge, BackupPurgeRequest, BackupPurged, BackupPut,
    BackupPutImageRequest, BackupPutRequest, BackupText, Fault,
};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The key of the folder.
pub const KEY: &str = "00000000000000000000000000000000000000000000000000000000000000ff";

type Answer<T> = LocalBoxFuture<'static, Result<T, Fault>>;

/// A folder. A clone is the same one.
#[derive(Clone, Default)]
pub struct Folder {
    /// Whether the server keeps a backup.
    pub is_there: Rc<Cell<bool>>,
    /// The files of the chats.
    pub files: Rc<RefCell<BTreeMap<Id, String>>>,
    /// The images, in base64.
    pub images: Rc<RefCell<BTreeMap<ImageHash, String>>>,
    /// How often a chat was written.
    pub puts: Rc<Cell<usize>>,
    /// Why everything fails.
    pub fault: Rc<RefCell<Option<Fault>>>,
}

impl Folder {
    fn check(&self, key: &BackupKey) -> Result<(), Fault> {
        match self.fault.borrow().clone() {
            Some(fault) => Err(fault),
            None if key.0 != KEY => Err(Fault::BackupLocked),
            None => Ok(()),
        }
    }

    /// Whether a text is in any file.
    pub fn contains(&self, text: &str) -> bool {
        self.files.borrow().values().any(|file| file.contains(text))
    }

    pub fn list(&self, request: &BackupListRequest) -> Answer<BackupList> {
        let files = self.files.borrow();
        let listed = files.iter().map(|(chat, text)| {
            let header = BackupFile::parse(text).expect("a file").header;
            BackedUpChat {
                chat: *chat,
                title: header.backup.title.clone(),
                messages: header.messages,
                at: header.exported,
                version: header.backup.version,
                digest: header.backup.digest_of(request.writer).map(str::to_owned),
                state: match header.backup.purged {
                    true => BackupFileState::Purged,
                    false => BackupFileState::Kept,
                },
            }
        });
        let list = BackupList {
            chats: listed.collect(),
            images: self.images.borrow().keys().copied().collect(),
            ..BackupList::default()
        };
        ready(self.check(&request.key).map(|()| list)).boxed_local()
    }

    pub fn put(&self, request: &BackupPutRequest) -> Answer<BackupPut> {
        ready(self.put_now(request)).boxed_local()
    }

    fn put_now(&self, request: &BackupPutRequest) -> Result<BackupPut, Fault> {
        self.check(&request.key)?;
        let mut files = self.files.borrow_mut();
        let former = files.get(&request.chat).cloned().unwrap_or_default();
        let (record, rest) = match BackupFile::parse(&former) {
            Ok(file) => (file.header.backup, file.rest),
            Err(_) => (BackupRecord::default(), ""),
        };
        if record.purged {
            return Err(Fault::BackupPurged);
        }
        let version = record.version;
        if version != request.base {
            return Err(Fault::BackupChanged { version });
        }
        let newer = request.text.split_once('\n').expect("a header").1;
        let merged = merge(rest, newer, request.chat);
        let next = record.next(request.writer, &request.title, &request.digest);
        let version = next.version;
        let at = version;
        files.insert(
            request.chat,
            next.file(&merged.rest, merged.messages, version),
        );
        self.puts.set(self.puts.get() + 1);
        Ok(BackupPut { version, at })
    }

    pub fn put_image(&self, request: &BackupPutImageRequest) -> Answer<()> {
        let done = self.check(&request.key);
        if done.is_ok() {
            let mut images = self.images.borrow_mut();
            images.insert(request.hash, request.data.clone());
        }
        ready(done).boxed_local()
    }

    pub fn get(&self, request: &BackupGetRequest) -> Answer<BackupText> {
        let text = self.files.borrow().get(&request.chat).cloned();
        let text = text.ok_or(Fault::NotInBackup);
        let checked = self.check(&request.key);
        ready(checked.and(text).map(|text| BackupText { text })).boxed_local()
    }

    pub fn get_image(&self, request: &BackupGetImageRequest) -> Answer<BackupText> {
        let text = self.images.borrow().get(&request.hash).cloned();
        let text = text.ok_or(Fault::NotInBackup);
        ready(text.map(|text| BackupText { text })).boxed_local()
    }

    pub fn purge(&self, request: &BackupPurgeRequest) -> Answer<BackupPurged> {
        if let Err(fault) = self.check(&request.key) {
            return ready(Err(fault)).boxed_local();
        }
        let mut files = self.files.borrow_mut();
        let (chats, messages) = match &request.what {
            BackupPurge::Everything => (files.keys().copied().collect(), Vec::new()),
            BackupPurge::Some { chats, messages } => (chats.clone(), messages.clone()),
        };
        for chat in chats {
            if let Some(text) = files.get_mut(&chat) {
                let record = BackupRecord {
                    purged: true,
                    version: 99,
                    ..BackupRecord::default()
                };
                *text = record.file("", 0, 0);
            }
        }
        for (chat, ids) in messages {
            if let Some(text) = files.get_mut(&chat) {
                let file = BackupFile::parse(text).expect("a file");
                let rest = purge_messages(file.rest, chat, &ids.into_iter().collect(), 0);
                let next = file.header.backup.next(request.writer, "", "");
                *text = next.file(&rest.unwrap_or_default(), 0, 0);
            }
        }
        ready(Ok(BackupPurged::default())).boxed_local()
    }
}
