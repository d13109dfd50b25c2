//! Files in memory, for tests.

use crate::files::{FileAnswer, FolderEntry, FolderFiles};
use futures::FutureExt;
use futures::future::ready;
use sash_calls::{BackupFault, BackupProblem};
use sash_chat::Id;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// Files in memory. Each write is remembered for whoever follows the folder.
#[derive(Debug, Default)]
pub struct MemoryFiles {
    /// The bytes by path.
    pub files: RefCell<BTreeMap<String, Vec<u8>>>,
    /// What was written: chat and checksum of its lines, in their order.
    pub written: RefCell<Vec<(Id, String)>>,
    /// Milliseconds since 1970.
    pub time: Cell<u64>,
    /// Why nothing can be read or written, if so.
    pub problem: Cell<Option<BackupProblem>>,
}

impl MemoryFiles {
    /// A file as text.
    #[must_use]
    pub fn text(&self, path: &str) -> Option<String> {
        let files = self.files.borrow();
        let bytes = files.get(path)?;
        Some(String::from_utf8_lossy(bytes).into_owned())
    }

    /// Writes or removes a file as something else than Sash does it.
    pub fn set_text(&self, path: &str, text: Option<String>) {
        let mut files = self.files.borrow_mut();
        match text {
            Some(text) => files.insert(path.to_owned(), text.into_bytes()),
            None => files.remove(path),
        };
    }

    fn checked<'a, T: 'a>(&'a self, run: impl FnOnce() -> T) -> FileAnswer<'a, T> {
        let done = match self.problem.get() {
            Some(problem) => Err(BackupFault::Failed { problem }.into()),
            None => Ok(run()),
        };
        ready(done).boxed_local()
    }
}

impl FolderFiles for MemoryFiles {
    fn now(&self) -> u64 {
        self.time.get()
    }

    fn read<'a>(&'a self, path: &'a str, limit: u64) -> FileAnswer<'a, Option<Vec<u8>>> {
        let bytes = self.files.borrow().get(path).cloned();
        if bytes
            .as_ref()
            .is_some_and(|bytes| bytes.len() as u64 > limit)
        {
            let problem = BackupProblem::Other;
            return ready(Err(BackupFault::Failed { problem }.into())).boxed_local();
        }
        self.checked(|| bytes)
    }

    fn size<'a>(&'a self, path: &'a str) -> FileAnswer<'a, Option<u64>> {
        self.checked(|| {
            self.files
                .borrow()
                .get(path)
                .map(|bytes| bytes.len() as u64)
        })
    }

    fn write<'a>(&'a self, path: &'a str, bytes: &'a [u8]) -> FileAnswer<'a, ()> {
        self.checked(|| {
            self.files
                .borrow_mut()
                .insert(path.to_owned(), bytes.to_vec());
        })
    }

    fn remove<'a>(&'a self, path: &'a str) -> FileAnswer<'a, ()> {
        self.checked(|| {
            self.files.borrow_mut().remove(path);
        })
    }

    fn remove_empty<'a>(&'a self, _: &'a str) -> FileAnswer<'a, ()> {
        // An empty folder is none here.
        self.checked(|| ())
    }

    fn entries<'a>(&'a self, folder: &'a str) -> FileAnswer<'a, Vec<FolderEntry>> {
        self.checked(|| {
            let files = self.files.borrow();
            let names = files.keys().filter_map(|path| {
                let rest = match folder.is_empty() {
                    true => path,
                    false => path.strip_prefix(folder)?.strip_prefix('/')?,
                };
                let (name, is_file) = rest
                    .split_once('/')
                    .map_or((rest, true), |(name, _)| (name, false));
                Some(FolderEntry {
                    name: name.to_owned(),
                    is_file,
                })
            });
            names.collect::<BTreeSet<_>>().into_iter().collect()
        })
    }

    fn on_written(&self, chat: Id, crc: &str) {
        self.written.borrow_mut().push((chat, crc.to_owned()));
    }
}
