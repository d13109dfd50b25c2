//! The folder of a backup in memory, with the rules of the server's.

use futures::FutureExt;
use futures::channel::oneshot;
use futures::future::{LocalBoxFuture, ready};
use sash_chat::{Id, ImageHash};
use sash_log::checksum;
use sash_transfer::backup::{
    BackupFile, BackupRecord, PromptsRefusal, count_prompts, merge, purge_chat, purge_messages,
    purge_prompts, update_prompts,
};
use sash_wire::{
    BackedUpChat, BackupFileState, BackupGetImageRequest, BackupGetRequest, BackupKey, BackupList,
    BackupListRequest, BackupNews, BackupNewsRequest, BackupPrompts, BackupPromptsRequest,
    BackupPurge, BackupPurgeRequest, BackupPurged, BackupPut, BackupPutImageRequest,
    BackupPutRequest, BackupText, Fault, PROMPTS_IN_NEWS,
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
    /// The file of the prompts and folders.
    pub prompts: Rc<RefCell<Option<String>>>,
    /// The images, in base64.
    pub images: Rc<RefCell<BTreeMap<ImageHash, String>>>,
    /// How often a chat was written.
    pub puts: Rc<Cell<usize>>,
    /// The writes in their order: chat and version.
    writes: Rc<RefCell<Vec<(Id, String)>>>,
    /// Up to which of them nobody knows what was written.
    forgotten: Rc<Cell<u64>>,
    /// Who waits for the next one.
    waiting: Rc<RefCell<Vec<oneshot::Sender<()>>>>,
    /// How often somebody asked for news.
    pub asked_for_news: Rc<Cell<usize>>,
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
                crc: header.backup.crc.clone(),
                digest: header.backup.digest_of(request.writer).map(str::to_owned),
                state: match header.backup.purged {
                    true => BackupFileState::Purged,
                    false => BackupFileState::Kept,
                },
            }
        });
        let kept = self.prompts.borrow();
        let lines = kept.as_ref().and_then(|file| file.split_once('\n'));
        let lines = lines.map_or("", |(_, lines)| lines);
        let (prompts, folders) = count_prompts(lines);
        let list = BackupList {
            prompts,
            folders,
            prompts_crc: checksum(lines),
            chats: listed.collect(),
            images: self.images.borrow().keys().copied().collect(),
            at: self.at(),
            ..BackupList::default()
        };
        ready(self.check(&request.key).map(|()| list)).boxed_local()
    }

    fn at(&self) -> u64 {
        1 + self.writes.borrow().len() as u64
    }

    fn wrote(&self, chat: Id, crc: &str) {
        self.writes.borrow_mut().push((chat, crc.to_owned()));
        self.waiting.borrow_mut().clear();
    }

    /// Puts the files of an earlier day into the folder, as a server that was stopped meanwhile finds them.
    pub fn restore(&self, files: BTreeMap<Id, String>) {
        *self.files.borrow_mut() = files;
        self.wrote(Id(0), "");
        self.forgotten.set(self.at());
    }

    pub fn news(&self, request: &BackupNewsRequest) -> Answer<BackupNews> {
        self.asked_for_news.set(self.asked_for_news.get() + 1);
        if let Err(fault) = self.check(&request.key) {
            return ready(Err(fault)).boxed_local();
        }
        let (folder, since) = (self.clone(), request.since);
        async move {
            if folder.at() == since {
                let (wake, woken) = oneshot::channel();
                folder.waiting.borrow_mut().push(wake);
                woken.await.ok();
            }
            let writes = folder.writes.borrow();
            let known = usize::try_from(since.saturating_sub(1)).expect("a number");
            Ok(BackupNews {
                at: folder.at(),
                chats: writes.get(known..).unwrap_or_default().to_vec(),
                is_incomplete: since < folder.forgotten.get(),
                is_taken: false,
            })
        }
        .boxed_local()
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
        let is_other = !request.base_crc.is_empty() && request.base_crc != record.crc;
        if (version != request.base || is_other) && version > 0 {
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
        drop(files);
        let crc = checksum(&merged.rest);
        self.wrote(request.chat, &crc);
        self.puts.set(self.puts.get() + 1);
        Ok(BackupPut { version, crc, at })
    }

    pub fn prompts(&self, request: &BackupPromptsRequest) -> Answer<BackupPrompts> {
        ready(self.prompts_now(request)).boxed_local()
    }

    fn prompts_now(&self, request: &BackupPromptsRequest) -> Result<BackupPrompts, Fault> {
        self.check(&request.key)?;
        let file = self.prompts.borrow().clone();
        // To read is to write nothing.
        let newer = request.text.as_deref().unwrap_or_default();
        let base = request.base_crc.as_deref();
        let update = update_prompts(file.as_deref(), newer, base, request.writer, 1);
        let update = update.map_err(|refusal| match refusal {
            PromptsRefusal::Newer => Fault::BackupNewer,
            PromptsRefusal::Changed(version) => Fault::BackupChanged { version },
        })?;
        if let Some(file) = update.file.filter(|_| request.text.is_some()) {
            *self.prompts.borrow_mut() = Some(file);
            self.wrote(PROMPTS_IN_NEWS, &update.crc);
        }
        Ok(BackupPrompts {
            text: update.text,
            crc: update.crc,
            is_intact: true,
            at: 1,
        })
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
        if request.what == BackupPurge::Everything {
            let mut file = self.prompts.borrow_mut();
            let purged = file.as_ref().and_then(|file| {
                let update = purge_prompts(file, request.writer, 1).ok()?;
                Some((update.file?, update.crc))
            });
            if let Some((purged, crc)) = purged {
                *file = Some(purged);
                self.wrote(PROMPTS_IN_NEWS, &crc);
            }
        }
        let mut files = self.files.borrow_mut();
        let (chats, messages) = match &request.what {
            BackupPurge::Everything => (files.keys().copied().collect(), Vec::new()),
            BackupPurge::Some { chats, messages } => (chats.clone(), messages.clone()),
        };
        for chat in chats {
            let of_chat = messages.iter().filter(|(of, _)| *of == chat);
            let known: Vec<Id> = of_chat.flat_map(|(_, ids)| ids.clone()).collect();
            let text = files.entry(chat).or_default();
            let (record, rest) = match BackupFile::parse(text) {
                Ok(file) => (file.header.backup, file.rest),
                Err(_) => (BackupRecord::default(), ""),
            };
            if !record.purged {
                let record = BackupRecord {
                    purged: true,
                    ..record.next(request.writer, "", "")
                };
                let lines = purge_chat(rest, chat, &known, 0);
                self.wrote(chat, &checksum(&lines));
                *text = record.file(&lines, 0, 0);
            }
        }
        for (chat, ids) in messages {
            if let Some(text) = files.get_mut(&chat) {
                let file = BackupFile::parse(text).expect("a file");
                if file.header.backup.purged {
                    continue;
                }
                if let Some(rest) = purge_messages(file.rest, chat, &ids.into_iter().collect(), 0) {
                    let next = file.header.backup.next(request.writer, "", "");
                    self.wrote(chat, &checksum(&rest));
                    *text = next.file(&rest, 0, 0);
                }
            }
        }
        ready(Ok(BackupPurged::default())).boxed_local()
    }
}
