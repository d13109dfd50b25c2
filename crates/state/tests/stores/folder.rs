//! The folder of a backup in memory, with the rules of the server's.

use futures::FutureExt;
use futures::channel::oneshot;
use futures::future::{LocalBoxFuture, ready};
use sash_backup::{BackupFolder, FolderFiles, MemoryFiles};
use sash_calls::{
    BackupFault, BackupGetImageRequest, BackupGetRequest, BackupKey, BackupList, BackupListRequest,
    BackupNews, BackupNewsRequest, BackupPrompts, BackupPromptsRequest, BackupPurgeRequest,
    BackupPurged, BackupPut, BackupPutImageRequest, BackupPutRequest, BackupText,
};
use sash_chat::Id;
use sash_harness::{Answer, Slow};
use sash_state::{ChosenFolder, Folders};
use sash_wire::Fault;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The key of the folder.
pub const KEY: &str = "00000000000000000000000000000000000000000000000000000000000000ff";

const PROMPTS: &str = "prompts-and-folders.jsonl";

/// A folder. A clone is the same one.
#[derive(Clone, Default)]
pub struct Folder {
    /// Its files.
    pub files: Rc<MemoryFiles>,
    /// How often a chat was handed over.
    pub puts: Rc<Cell<usize>>,
    /// Up to which of the writes nobody knows what was written.
    forgotten: Rc<Cell<u64>>,
    /// Who waits for the next one.
    waiting: Rc<RefCell<Vec<oneshot::Sender<()>>>>,
    /// The page that waits as each browser, with the number of its requests.
    pages: Rc<RefCell<BTreeMap<Id, (Id, usize)>>>,
    /// How often somebody asked for news.
    pub asked_for_news: Rc<Cell<usize>>,
    /// Why everything fails.
    pub fault: Rc<RefCell<Option<Fault>>>,
    /// Lists that the test sends later.
    pub slow_lists: Slow,
    /// Files of chats that the test sends later.
    pub slow_chats: Slow,
    /// Answers to chats that were handed over, which the test sends later.
    pub slow_puts: Slow,
    /// Prompts and folders that the test sends later.
    pub slow_prompts: Slow,
}

impl Folder {
    fn check(&self, key: &BackupKey) -> Result<(), Fault> {
        match self.fault.borrow().clone() {
            Some(fault) => Err(fault),
            None if key.0 != KEY => Err(BackupFault::Locked.into()),
            None => Ok(()),
        }
    }

    /// Whether a text is in any file, older versions included.
    pub fn contains(&self, text: &str) -> bool {
        let files = self.files.files.borrow();
        files
            .values()
            .any(|file| String::from_utf8_lossy(file).contains(text))
    }

    /// The file of a chat.
    pub fn chat(&self, chat: Id) -> Option<String> {
        self.files.text(&format!("chats/{chat}.jsonl"))
    }

    /// Changes the file of a chat from outside.
    pub fn set_chat(&self, chat: Id, text: &str) {
        let path = format!("chats/{chat}.jsonl");
        self.files.set_text(&path, Some(text.to_owned()));
    }

    /// The file of the prompts and folders.
    pub fn prompts_file(&self) -> Option<String> {
        self.files.text(PROMPTS)
    }

    /// All files as they are now.
    pub fn snapshot(&self) -> BTreeMap<String, Vec<u8>> {
        self.files.files.borrow().clone()
    }

    /// Puts the files of an earlier day into the folder, as a server that was stopped meanwhile finds them.
    pub fn restore(&self, files: BTreeMap<String, Vec<u8>>) {
        *self.files.files.borrow_mut() = files;
        self.files.on_written(Id(0), "");
        self.waiting.borrow_mut().clear();
        self.forgotten.set(self.at());
    }

    fn at(&self) -> u64 {
        1 + self.files.written.borrow().len() as u64
    }

    /// Applies the rules, and tells those who wait what was written.
    fn apply<T: 'static, A: Future<Output = Result<T, Fault>>>(
        &self,
        key: &BackupKey,
        run: impl FnOnce(Rc<MemoryFiles>) -> A,
    ) -> Answer<T> {
        let before = self.at();
        self.files.time.set(before);
        let done = self.check(key).and_then(|()| {
            let run = run(Rc::clone(&self.files));
            run.now_or_never().expect("files in memory answer at once")
        });
        if self.at() > before {
            self.waiting.borrow_mut().clear();
        }
        ready(done).boxed_local()
    }

    pub fn list(&self, request: &BackupListRequest) -> Answer<BackupList> {
        let at = self.at();
        let list = self.apply(&request.key, async |files| {
            Ok(BackupList {
                at,
                ..BackupFolder::new(&*files).list(request.writer).await?
            })
        });
        let slow = self.slow_lists.next();
        async move {
            slow.await;
            list.await
        }
        .boxed_local()
    }

    pub fn news(&self, request: &BackupNewsRequest) -> Answer<BackupNews> {
        self.asked_for_news.set(self.asked_for_news.get() + 1);
        if let Err(fault) = self.check(&request.key) {
            return ready(Err(fault)).boxed_local();
        }
        let (folder, since) = (self.clone(), request.since);
        let Some(waiting) = Waiting::enter(&self.pages, request) else {
            let taken = BackupNews {
                at: since,
                is_taken: true,
                ..BackupNews::default()
            };
            return ready(Ok(taken)).boxed_local();
        };
        async move {
            let _waiting = waiting;
            if folder.at() == since {
                let (wake, woken) = oneshot::channel();
                folder.waiting.borrow_mut().push(wake);
                woken.await.ok();
            }
            let writes = folder.files.written.borrow();
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
        let before = self.at();
        let put = self.apply(&request.key, async |files| {
            BackupFolder::new(&*files).put(request).await
        });
        if self.at() > before {
            self.puts.set(self.puts.get() + 1);
        }
        let slow = self.slow_puts.next();
        async move {
            slow.await;
            put.await
        }
        .boxed_local()
    }

    pub fn prompts(&self, request: &BackupPromptsRequest) -> Answer<BackupPrompts> {
        let prompts = self.apply(&request.key, async |files| {
            BackupFolder::new(&*files).prompts(request).await
        });
        let slow = self.slow_prompts.next();
        async move {
            slow.await;
            prompts.await
        }
        .boxed_local()
    }

    pub fn put_image(&self, request: &BackupPutImageRequest) -> Answer<()> {
        self.apply(&request.key, async |files| {
            BackupFolder::new(&*files).put_image(request).await
        })
    }

    pub fn get(&self, request: &BackupGetRequest) -> Answer<BackupText> {
        let text = self.apply(&request.key, async |files| {
            let text = BackupFolder::new(&*files).get(request.chat).await?;
            Ok(BackupText { text })
        });
        let slow = self.slow_chats.next();
        async move {
            slow.await;
            text.await
        }
        .boxed_local()
    }

    pub fn get_image(&self, request: &BackupGetImageRequest) -> Answer<BackupText> {
        self.apply(&request.key, async |files| {
            let text = BackupFolder::new(&*files).get_image(request.hash).await?;
            Ok(BackupText { text })
        })
    }

    pub fn purge(&self, request: &BackupPurgeRequest) -> Answer<BackupPurged> {
        self.apply(&request.key, async |files| {
            BackupFolder::new(&*files).purge(request).await
        })
    }
}

/// Counts a page among those that wait as their browser.
struct Waiting {
    pages: Rc<RefCell<BTreeMap<Id, (Id, usize)>>>,
    writer: Id,
}

impl Waiting {
    /// `None` if another page waits as the same browser.
    fn enter(
        pages: &Rc<RefCell<BTreeMap<Id, (Id, usize)>>>,
        request: &BackupNewsRequest,
    ) -> Option<Self> {
        let mut all = pages.borrow_mut();
        let (page, count) = all.entry(request.writer).or_insert((request.page, 0));
        if *page != request.page {
            return None;
        }
        *count += 1;
        Some(Self {
            pages: Rc::clone(pages),
            writer: request.writer,
        })
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut all = self.pages.borrow_mut();
        if let Some((_, count)) = all.get_mut(&self.writer) {
            *count -= 1;
            if *count == 0 {
                all.remove(&self.writer);
            }
        }
    }
}

/// A folder of the device, which the browser lets the person choose. A clone is the same one.
#[derive(Clone, Default)]
pub struct Device {
    /// Whether the browser can do that.
    pub exists: Rc<Cell<bool>>,
    /// The files of the folder.
    pub files: Rc<MemoryFiles>,
    /// Whether the browser does not have to ask.
    pub is_allowed: Rc<Cell<bool>>,
    /// Whether the person says yes when they are asked.
    pub says_yes: Rc<Cell<bool>>,
    /// Whether the browser remembers no folder.
    pub forgets: Rc<Cell<bool>>,
    /// The folder that is remembered.
    pub remembered: Rc<RefCell<Option<ChosenFolder>>>,
    /// How many were chosen.
    choices: Rc<Cell<u64>>,
    /// Answers about permissions and the remembered folder that the test sends later.
    pub slow: Slow,
}

impl Device {
    fn later<T: 'static>(&self, answer: T) -> LocalBoxFuture<'static, T> {
        let slow = self.slow.next();
        async move {
            slow.await;
            answer
        }
        .boxed_local()
    }

    fn ask_person(&self) -> bool {
        self.is_allowed.set(self.says_yes.get());
        self.says_yes.get()
    }
}

impl Folders for Device {
    fn exist(&self) -> bool {
        self.exists.get()
    }
    fn choose(&self) -> LocalBoxFuture<'static, Option<ChosenFolder>> {
        let chosen = self.ask_person().then(|| {
            self.choices.set(self.choices.get() + 1);
            ChosenFolder {
                id: Id(self.choices.get()),
                name: "Chats".to_owned(),
                is_allowed: true,
                files: Rc::clone(&self.files) as Rc<dyn FolderFiles>,
                handle: Rc::new(()),
            }
        });
        ready(chosen).boxed_local()
    }
    fn remember(&self, folder: ChosenFolder) -> LocalBoxFuture<'static, bool> {
        if !self.forgets.get() {
            *self.remembered.borrow_mut() = Some(folder);
        }
        ready(!self.forgets.get()).boxed_local()
    }
    fn remembered(&self) -> LocalBoxFuture<'static, Option<ChosenFolder>> {
        let remembered = self.remembered.borrow().clone();
        let is_allowed = self.is_allowed.get();
        let found = remembered.map(|folder| ChosenFolder {
            is_allowed,
            ..folder
        });
        self.later(found)
    }
    fn is_allowed(&self, _: ChosenFolder) -> LocalBoxFuture<'static, bool> {
        self.later(self.is_allowed.get())
    }
    fn ask(&self, _: ChosenFolder) -> LocalBoxFuture<'static, bool> {
        self.later(self.ask_person())
    }
    fn forget(&self) -> LocalBoxFuture<'static, ()> {
        *self.remembered.borrow_mut() = None;
        ready(()).boxed_local()
    }
}
