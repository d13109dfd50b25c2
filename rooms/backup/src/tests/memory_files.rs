//! Files in memory, for tests: they fail when they are told to, stop as a program that is killed, and have no more room than
//! they are given.

use crate::files::{DirEntry, DirectoryFiles, FileStat, MAX_ENTRIES};
use crate::{BackupFault, BackupProblem};
use async_trait::async_trait;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::future::poll_fn;
use std::task::Poll;

/// A file in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryFile {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// When it was written last, in milliseconds since 1970.
    pub modified_ms: u64,
}

/// Files in memory.
#[derive(Debug, Default)]
pub struct MemoryFiles {
    /// The files by path.
    pub files: RefCell<BTreeMap<String, MemoryFile>>,
    /// The paths of what is neither file nor directory: links and pipes.
    pub oddities: RefCell<BTreeSet<String>>,
    /// Milliseconds since 1970.
    pub time: Cell<u64>,
    /// How many operations there were. [`DirectoryFiles::now`] is none.
    pub operations: Cell<u64>,
    /// The operation that fails, and why. It changes nothing.
    pub failing: Cell<Option<(u64, BackupProblem)>>,
    /// The last operation that is done: all later ones fail and change nothing.
    pub last: Cell<Option<u64>>,
    /// How many bytes there is room for; `None`: any. A file that is replaced takes its room until the new one is there.
    pub room: Cell<Option<u64>>,
    /// Whether each operation lets other tasks go first.
    pub is_slow: Cell<bool>,
    /// How many bytes were read and written.
    pub bytes: Cell<(u64, u64)>,
}

impl MemoryFiles {
    /// A file as text.
    #[must_use]
    pub fn text(&self, path: &str) -> Option<String> {
        let files = self.files.borrow();
        let file = files.get(path)?;
        Some(String::from_utf8_lossy(&file.bytes).into_owned())
    }

    /// Writes a file as something else than Sash does it.
    pub fn set(&self, path: &str, bytes: impl Into<Vec<u8>>) {
        let file = MemoryFile {
            bytes: bytes.into(),
            modified_ms: self.time.get(),
        };
        self.files.borrow_mut().insert(path.to_owned(), file);
    }

    /// Removes a file as something else than Sash does it.
    pub fn unset(&self, path: &str) {
        self.files.borrow_mut().remove(path);
    }

    /// The paths of all files.
    #[must_use]
    pub fn paths(&self) -> Vec<String> {
        self.files.borrow().keys().cloned().collect()
    }

    /// The paths of the files that have these bytes anywhere.
    #[must_use]
    pub fn having(&self, bytes: &[u8]) -> Vec<String> {
        let files = self.files.borrow();
        let has = |file: &MemoryFile| file.bytes.windows(bytes.len()).any(|part| part == bytes);
        let found = files.iter().filter(|(_, file)| has(file));
        found.map(|(path, _)| path.clone()).collect()
    }

    /// Lets the `n`th operation from now fail.
    pub fn fail(&self, n: u64, problem: BackupProblem) {
        self.failing.set(Some((self.operations.get() + n, problem)));
    }

    /// Stops for good after `n` operations from now.
    pub fn stop_after(&self, n: u64) {
        self.last.set(Some(self.operations.get() + n));
    }

    /// The same files for a program that is started anew: nothing fails any more.
    #[must_use]
    pub fn restarted(&self) -> Self {
        Self {
            files: self.files.clone(),
            oddities: self.oddities.clone(),
            time: self.time.clone(),
            ..Self::default()
        }
    }

    async fn run<T>(
        &self,
        operation: impl FnOnce() -> Result<T, BackupFault>,
    ) -> Result<T, BackupFault> {
        if self.is_slow.get() {
            yield_once().await;
        }
        let n = self.operations.get() + 1;
        self.operations.set(n);
        if self.last.get().is_some_and(|last| n > last) {
            return Err(BackupProblem::Gone.into());
        }
        match self.failing.get() {
            Some((failing, problem)) if failing == n => Err(problem.into()),
            _ => operation(),
        }
    }

    /// Refuses a path of which a part is no directory, or the whole no file.
    fn check(&self, path: &str) -> Result<(), BackupFault> {
        let oddities = self.oddities.borrow();
        let files = self.files.borrow();
        let parents = path.match_indices('/').map(|(at, _)| &path[..at]);
        let is_odd = |path: &str| oddities.contains(path);
        let is_directory = || {
            let begins = format!("{path}/");
            let mut below = files.range(begins.clone()..);
            below
                .next()
                .is_some_and(|(path, _)| path.starts_with(&begins))
        };
        let mut parents = parents.filter(|path| is_odd(path) || files.contains_key(*path));
        match parents.next().is_some() || is_odd(path) || is_directory() {
            true => Err(BackupProblem::NotPlain.into()),
            false => Ok(()),
        }
    }

    fn read_first(&self, path: &str, bytes: u64) -> Result<Option<Vec<u8>>, BackupFault> {
        self.check(path)?;
        let files = self.files.borrow();
        let Some(file) = files.get(path) else {
            return Ok(None);
        };
        let end = usize::try_from(bytes).unwrap_or(usize::MAX);
        let first = &file.bytes[..end.min(file.bytes.len())];
        let (read, written) = self.bytes.get();
        self.bytes.set((read + first.len() as u64, written));
        Ok(Some(first.to_vec()))
    }
}

/// Lets other tasks go first.
async fn yield_once() {
    let mut has_waited = false;
    poll_fn(|context| {
        if has_waited {
            return Poll::Ready(());
        }
        has_waited = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

#[async_trait(?Send)]
impl DirectoryFiles for MemoryFiles {
    fn now(&self) -> u64 {
        self.time.get()
    }

    async fn read(&self, path: &str, limit: u64) -> Result<Option<Vec<u8>>, BackupFault> {
        self.run(|| {
            let bytes = self.read_first(path, limit.saturating_add(1))?;
            let is_long = |bytes: &Vec<u8>| bytes.len() as u64 > limit;
            match bytes.as_ref().is_some_and(is_long) {
                true => Err(BackupFault::TooLong),
                false => Ok(bytes),
            }
        })
        .await
    }

    async fn head(&self, path: &str, bytes: u64) -> Result<Option<Vec<u8>>, BackupFault> {
        self.run(|| self.read_first(path, bytes)).await
    }

    async fn stat(&self, path: &str) -> Result<Option<FileStat>, BackupFault> {
        self.run(|| {
            self.check(path)?;
            let files = self.files.borrow();
            Ok(files.get(path).map(|file| FileStat {
                size: file.bytes.len() as u64,
                modified_ms: file.modified_ms,
            }))
        })
        .await
    }

    async fn write(&self, path: &str, bytes: &[u8]) -> Result<(), BackupFault> {
        self.run(|| {
            self.check(path)?;
            let files = self.files.borrow();
            let used: u64 = files.values().map(|file| file.bytes.len() as u64).sum();
            drop(files);
            let size = bytes.len() as u64;
            if self.room.get().is_some_and(|room| used + size > room) {
                return Err(BackupProblem::Full.into());
            }
            let (read, written) = self.bytes.get();
            self.bytes.set((read, written + size));
            self.set(path, bytes);
            Ok(())
        })
        .await
    }

    async fn remove(&self, path: &str) -> Result<(), BackupFault> {
        self.run(|| {
            self.check(path)?;
            self.unset(path);
            Ok(())
        })
        .await
    }

    async fn remove_empty(&self, _: &str) -> Result<(), BackupFault> {
        // An empty directory is none here.
        self.run(|| Ok(())).await
    }

    async fn entries(&self, directory: &str) -> Result<Vec<DirEntry>, BackupFault> {
        self.run(|| {
            let is_file = self.files.borrow().contains_key(directory);
            if is_file || self.oddities.borrow().contains(directory) {
                return Err(BackupProblem::NotPlain.into());
            }
            let begins = match directory {
                "" => String::new(),
                directory => format!("{directory}/"),
            };
            let below = |path: &String| Some(path.strip_prefix(&begins)?.to_owned());
            let mut entries = BTreeSet::new();
            let files = self.files.borrow();
            let paths = files.range(begins.clone()..).map(|(path, _)| path);
            for rest in paths.map_while(below) {
                let (name, is_file) = match rest.split_once('/') {
                    Some((name, _)) => (name, false),
                    None => (rest.as_str(), true),
                };
                entries.insert(DirEntry {
                    name: name.to_owned(),
                    is_file,
                    is_directory: !is_file,
                });
            }
            for rest in self.oddities.borrow().iter().filter_map(below) {
                let (name, is_directory) = match rest.split_once('/') {
                    Some((name, _)) => (name, true),
                    None => (rest.as_str(), false),
                };
                entries.insert(DirEntry {
                    name: name.to_owned(),
                    is_file: false,
                    is_directory,
                });
            }
            Ok(entries.into_iter().take(MAX_ENTRIES).collect())
        })
        .await
    }
}
