//! A server with a backup directory in memory, which keeps the rules of the real one.

use crate::call::{
    BackupList, CopyText, FileText, GoneOfChat, News, NewsRequest, PurgeRequest, Purged, Put,
    PutImageRequest, PutRequest, Removed,
};
use crate::directory::{BackupDirectory, HeaderCache};
use crate::form::CopyId;
use crate::memory_files::{MemoryFile, MemoryFiles};
use crate::server::news::Board;
use crate::store::Keyed;
use crate::{BackupFault, BackupKey};
use futures::FutureExt;
use futures::channel::oneshot;
use futures::future::ready;
use sash_chat::{Id, ImageHash};
use sash_harness::{Answer, Slow};
use sash_wire::Fault;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The key that browsers send.
pub const KEY: &str = "00000000000000000000000000000000000000000000000000000000000000ff";

/// The key of the seals, which no browser has.
pub fn seal_key() -> BackupKey {
    BackupKey("5ea1".repeat(16))
}

/// All files of a directory.
pub type Snapshot = BTreeMap<String, MemoryFile>;

/// A server. A clone is the same one.
#[derive(Clone, Default)]
pub struct Server {
    files: Rc<RefCell<Rc<MemoryFiles>>>,
    headers: Rc<RefCell<Rc<HeaderCache>>>,
    news: Rc<RefCell<Board>>,
    /// Who waits for more of it.
    waiting: Rc<RefCell<Vec<oneshot::Sender<()>>>>,
    /// How often a copy was handed over, and how often one was read and the directory listed.
    pub puts: Rc<Cell<usize>>,
    pub gets: Rc<Cell<usize>>,
    pub lists: Rc<Cell<usize>>,
    /// How often somebody asked for news.
    pub asked_for_news: Rc<Cell<usize>>,
    /// Why everything fails.
    pub fault: Rc<RefCell<Option<Fault>>>,
    /// After how many of its operations on files the next request kills the server.
    pub kill: Rc<Cell<Option<u64>>>,
    /// Why the copies of a chat fail.
    pub broken: Rc<RefCell<Option<(Id, Fault)>>>,
    /// Answers that the test sends later.
    pub slow_lists: Slow,
    pub slow_gets: Slow,
    pub slow_puts: Slow,
    pub slow_purges: Slow,
}

impl Server {
    /// Its files.
    pub fn files(&self) -> Rc<MemoryFiles> {
        Rc::clone(&self.files.borrow())
    }

    /// Whether a text is in any file.
    pub fn contains(&self, text: &str) -> bool {
        !self.files().having(text.as_bytes()).is_empty()
    }

    /// The path of a copy.
    pub fn path(chat: Id, browser: Id) -> String {
        format!("chats/{chat}/{browser}.jsonl")
    }

    /// All files as they are now.
    pub fn snapshot(&self) -> Snapshot {
        self.files().files.borrow().clone()
    }

    /// Puts the files of an earlier day into the directory of a server that was stopped meanwhile.
    pub fn restore(&self, files: Snapshot) {
        *self.files().files.borrow_mut() = files;
        self.restart();
    }

    /// Starts anew, as after a kill: what was read is not known any more.
    pub fn restart(&self) {
        let files = Rc::new(self.files().restarted());
        *self.files.borrow_mut() = files;
        *self.headers.borrow_mut() = Rc::default();
        let at = self.news.borrow().at + 1;
        *self.news.borrow_mut() = Board::new(at);
        self.waiting.borrow_mut().clear();
    }

    fn check(&self, key: &BackupKey) -> Result<(), Fault> {
        match self.fault.borrow().clone() {
            Some(fault) => Err(fault),
            None if key.0 != KEY => Err(BackupFault::Locked.into()),
            None => Ok(()),
        }
    }

    fn count(counter: &Cell<usize>) {
        counter.set(counter.get() + 1);
    }

    /// Applies the rules, and tells those who wait what was written of a chat.
    fn apply<T>(
        &self,
        key: &BackupKey,
        chat: Option<Id>,
        run: impl AsyncFnOnce(&BackupDirectory<'_, MemoryFiles>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.check(key)?;
        let (files, headers) = (self.files(), Rc::clone(&self.headers.borrow()));
        files.time.set(files.time.get() + 1_000);
        if let Some(operations) = self.kill.take() {
            files.stop_after(operations);
        }
        let key = seal_key();
        let directory = BackupDirectory::new(&*files, &key, &headers);
        let done = run(&directory);
        let done = done.now_or_never().expect("files in memory answer at once");
        let last = files.last.replace(None);
        if last.is_some_and(|last| files.operations.get() > last) {
            self.restart();
            return Err(Fault::ConnectionLost);
        }
        if let Some(chat) = chat {
            self.tell(chat, &directory);
        }
        done
    }

    fn tell(&self, chat: Id, directory: &BackupDirectory<'_, MemoryFiles>) {
        let listed = directory.list_chat(chat).now_or_never().expect("at once");
        let Ok((copies, gone)) = listed else {
            return;
        };
        if self.news.borrow_mut().record(chat, copies, gone) {
            self.waiting.borrow_mut().clear();
        }
    }

    pub fn list(&self, Keyed { key, .. }: Keyed<()>) -> Answer<BackupList> {
        Self::count(&self.lists);
        let list = self.apply(&key, None, async |directory| {
            directory.open().await?;
            let list = directory.list().await?;
            if self.news.borrow_mut().record_all(&list) {
                self.waiting.borrow_mut().clear();
            }
            let at = self.news.borrow().at;
            Ok(BackupList { at, ..list })
        });
        later(&self.slow_lists, list)
    }

    pub fn news(&self, Keyed { key, request }: Keyed<NewsRequest>) -> Answer<News> {
        Self::count(&self.asked_for_news);
        if let Err(fault) = self.check(&key) {
            return ready(Err(fault)).boxed_local();
        }
        let (server, since) = (self.clone(), request.since);
        let page = self.news.borrow_mut().enter(&request);
        async move {
            let Some(_page) = page else {
                return Ok(News {
                    at: since,
                    is_duplicate: true,
                    ..News::default()
                });
            };
            if server.news.borrow().at == since {
                let (wake, woken) = oneshot::channel();
                server.waiting.borrow_mut().push(wake);
                woken.await.ok();
            }
            Ok(server.news.borrow().since(since))
        }
        .boxed_local()
    }

    fn check_chat(&self, chat: Id) -> Result<(), Fault> {
        match &*self.broken.borrow() {
            Some((broken, fault)) if *broken == chat => Err(fault.clone()),
            _ => Ok(()),
        }
    }

    pub fn put(&self, Keyed { key, request }: Keyed<PutRequest>) -> Answer<Put> {
        Self::count(&self.puts);
        let chat = request.chat;
        let put = self.check_chat(chat).and_then(|()| {
            self.apply(&key, Some(chat), async |directory| {
                Ok(directory.put(&request).await?)
            })
        });
        later(&self.slow_puts, put)
    }

    pub fn get(&self, Keyed { key, request }: Keyed<CopyId>) -> Answer<CopyText> {
        Self::count(&self.gets);
        let text = self.apply(&key, None, async |directory| {
            Ok(directory.get(request).await?)
        });
        later(&self.slow_gets, text)
    }

    pub fn put_image(&self, Keyed { key, request }: Keyed<PutImageRequest>) -> Answer<()> {
        let chat = Some(request.chat);
        let put = self.apply(&key, chat, async |directory| {
            directory.put_image(&request).await
        });
        ready(put).boxed_local()
    }

    pub fn get_image(&self, Keyed { key, request }: Keyed<ImageHash>) -> Answer<FileText> {
        let image = self.apply(&key, None, async |directory| {
            Ok(directory.get_image(request).await?)
        });
        ready(image).boxed_local()
    }

    pub fn gone(&self, Keyed { key, request }: Keyed<Id>) -> Answer<GoneOfChat> {
        let gone = self.apply(&key, None, async |directory| {
            Ok(directory.gone(request).await?)
        });
        ready(gone).boxed_local()
    }

    pub fn purge(&self, Keyed { key, request }: Keyed<PurgeRequest>) -> Answer<Purged> {
        let chat = request.chat;
        let purged = self.check_chat(chat).and_then(|()| {
            self.apply(&key, Some(chat), async |directory| {
                Ok(directory.purge(&request).await?)
            })
        });
        later(&self.slow_purges, purged)
    }

    pub fn remove(&self, Keyed { key, request }: Keyed<Id>) -> Answer<Removed> {
        let removed = self.apply(&key, None, async |directory| {
            Ok(directory.remove_browser(request).await?)
        });
        ready(removed).boxed_local()
    }
}

/// An answer, once the test sends it.
fn later<T: 'static>(slow: &Slow, answer: Result<T, Fault>) -> Answer<T> {
    let slow = slow.next();
    async move {
        slow.await;
        answer
    }
    .boxed_local()
}
