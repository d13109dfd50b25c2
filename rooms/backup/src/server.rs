//! The backup on the disk of a server (`--backup DIRECTORY`), for one person: whoever has its key.
//!
//! | file | what it is for |
//! | --- | --- |
//! | `open` | opens the directory at the start |
//! | `disk` | its files |
//! | `keys` | the key that browsers know and that of the seals, in the state directory of the program |
//! | `news` | what is new in the directory, for the browsers that follow it |
//!
//! What is written and by which rules is [`crate::directory`]'s. Several Sashes may use one directory.

mod disk;
mod keys;
pub(crate) mod news;
mod open;

#[cfg(test)]
#[cfg(unix)]
mod tests;

pub use open::{BackupError, BackupPlaces};

use self::disk::Disk;
use self::keys::Keys;
use self::news::Board;
use crate::call::{BackupList, News, NewsRequest};
use crate::directory::{BackupDirectory, HeaderCache};
use crate::form::MAX_TEXT;
use crate::{BackupFault, BackupKey, BackupProblem};
use futures::FutureExt;
use futures::future::BoxFuture;
use sash_chat::Id;
use sash_door::guard::FailedAttempts;
use sash_door::stop::StopSignal;
use sash_server::calls::{CallGuard, Calls, Rules};
use sash_server::context::{PermitContext, app, state};
use sash_server::one_time_codes::PageSecret;
use sash_server::turns::Turns;
use sash_wire::{BodyKind, Fault};
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// The most bytes of a body: twice the longest copy, since each of its quotes takes two bytes in JSON.
const MAX_BODY: usize = 2 * MAX_TEXT;
/// The most values in a body: the clocks of a long chat, or the messages of a trash that is emptied.
const MAX_VALUES: usize = 200_000;
/// How many answers are in memory at once. Each may have a copy as a text and as JSON.
const READS_AT_ONCE: usize = 4;
/// How long a request waits for its turn.
const TURN_WAIT: Duration = Duration::from_secs(60);
/// How long what another program wrote may stay unseen while somebody asks.
const LIST_INTERVAL: Duration = Duration::from_secs(30);

/// The rules of what waits for news, of what reads and of what writes, with the state that all find.
pub(crate) fn rules(calls: &mut Calls, backup: Option<Arc<Backup>>) -> [Rules; 3] {
    let keeper = backup.clone();
    let guard: CallGuard = Arc::new(move |headers, client| {
        let backup = keeper.as_ref().ok_or(BackupFault::Off)?;
        let key = headers.get(BackupKey::HEADER);
        backup.check_key(key.map(|key| key.as_bytes()).unwrap_or_default(), client)
    });
    if let Some(backup) = backup {
        calls.provide(backup);
    }
    let news = Rules {
        guard: Some(guard),
        ..Rules::NONE
    };
    let read = Rules {
        turns: Some(Turns::new(READS_AT_ONCE, TURN_WAIT)),
        ..news.clone()
    };
    // A body that waits for its turn counts among those that are received.
    let write = Rules {
        body: BodyKind::Kept,
        most_bytes: Some(MAX_BODY),
        most_values: Some(MAX_VALUES),
        turns: Some(Turns::new(1, TURN_WAIT)),
        ..news.clone()
    };
    [news, read, write]
}

/// Runs what reads or writes files, inside a server function. Its turn ends when the answer is sent; if the client does not
/// wait for it, when it is done.
pub(crate) async fn on_disk<T: Send + 'static, E: Into<Fault> + Send + 'static>(
    run: impl FnOnce(&Backup) -> Result<T, E> + Send + 'static,
) -> Result<T, Fault> {
    let turn: PermitContext = state()?;
    let backup: Arc<Backup> = state()?;
    let done = blocking(move || {
        let _turn = turn;
        run(&backup)
    });
    done.await?.map_err(Into::into)
}

/// What is new in the directory; waits some time until something is.
pub(crate) async fn news(request: &NewsRequest) -> Result<News, Fault> {
    let backup: Arc<Backup> = state()?;
    let stop = app()?.stop.clone();
    Ok(backup.news(request, stop).await)
}

/// Runs what reads or writes files, away from the threads that serve.
async fn blocking<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> Result<T, Fault> {
    tokio::task::spawn_blocking(run).await.map_err(|error| {
        tracing::error!(%error, "the backup failed");
        Fault::Internal
    })
}

/// The result of an operation on the disk, which waits for nothing.
fn at_once<T, E: From<BackupFault>>(done: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    let done = done.now_or_never();
    done.unwrap_or_else(|| Err(BackupFault::from(BackupProblem::Other).into()))
}

/// The rules of the directory over files of the disk.
type DiskDirectory<'a> = BackupDirectory<'a, Disk>;

/// The backup of one person.
#[derive(Debug)]
pub struct Backup {
    disk: Disk,
    keys: Keys,
    headers: HeaderCache,
    news: watch::Sender<Board>,
    is_of_others: bool,
    attempts: FailedAttempts,
    /// When the directory was listed last.
    listed: Mutex<Option<Instant>>,
    /// Held while something is written: one at a time.
    writing: Mutex<()>,
}

impl Backup {
    /// Where the chats are, as a person writes it: Windows has another form for a path without links.
    #[must_use]
    pub fn place(&self) -> &Path {
        dunce::simplified(&self.disk.root)
    }

    /// Where the key is.
    #[must_use]
    pub fn key_file(&self) -> &Path {
        &self.keys.file
    }

    /// The key that browsers know.
    #[must_use]
    pub fn key(&self) -> BackupKey {
        self.keys.current()
    }

    /// Whether what was in the directory at the start was sealed by another installation of Sash.
    #[must_use]
    pub fn is_of_others(&self) -> bool {
        self.is_of_others
    }

    /// Compares the key that a client gave.
    ///
    /// # Errors
    /// [`BackupFault::Locked`], and [`Fault::TooManyAttempts`] instead of it after ten wrong ones within a minute;
    /// [`Fault::OpenedTwice`] for a key that was replaced.
    fn check_key(&self, key: &[u8], client: IpAddr) -> Result<(), Fault> {
        let checked = self.keys.check(key);
        if checked == Err(BackupFault::Locked.into()) && !key.is_empty() {
            self.attempts.count(client)?;
        }
        checked
    }

    /// Does what reads.
    pub(crate) fn read<T, E: From<BackupFault>>(
        &self,
        run: impl AsyncFnOnce(&DiskDirectory<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let directory = BackupDirectory::new(&self.disk, &self.keys.seal, &self.headers);
        at_once(run(&directory))
    }

    /// Does what may write, alone.
    pub(crate) fn write<T, E: From<BackupFault>>(
        &self,
        run: impl AsyncFnOnce(&DiskDirectory<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        // Each write is atomic, so one that panicked left nothing half done.
        let _alone = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let _among_others = self.disk.lock();
        self.read(run)
    }

    /// Does what writes something of a chat, and tells what is new.
    pub(crate) fn change<T, E: From<BackupFault>>(
        &self,
        chat: Id,
        run: impl AsyncFnOnce(&DiskDirectory<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.write(async |directory| {
            let done = run(directory).await;
            // Also what failed may have changed something.
            match directory.list_chat(chat).await {
                Ok((copies, gone)) => {
                    self.news
                        .send_if_modified(|board| board.record(chat, copies, gone));
                }
                Err(fault) => tracing::warn!(%fault, "the next list tells what is new"),
            }
            done
        })
    }

    /// Lists the directory, and tells what is new. What was deleted meanwhile is taken out of copies that have it still.
    pub(crate) fn list(&self) -> Result<BackupList, BackupFault> {
        *self.listed() = Some(Instant::now());
        self.write(async |directory| {
            let mut list = directory.list().await?;
            self.news.send_if_modified(|board| {
                let is_new = board.record_all(&list);
                list.at = board.at;
                is_new
            });
            list.is_versioned |= self.disk.is_versioned();
            Ok(list)
        })
    }

    fn listed(&self) -> MutexGuard<'_, Option<Instant>> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is new, what other programs wrote included.
    async fn news(self: Arc<Self>, request: &NewsRequest, stop: StopSignal) -> News {
        let is_listed = self
            .listed()
            .is_some_and(|listed| listed.elapsed() < LIST_INTERVAL);
        if !is_listed {
            let backup = Arc::clone(&self);
            if let Ok(Err(fault)) = blocking(move || backup.list()).await {
                tracing::warn!(%fault, "the directory of the backup cannot be listed");
            }
        }
        news::wait(&self.news, request, stop).await
    }
}

impl PageSecret for Backup {
    fn name(&self) -> &'static str {
        BackupKey::NAME
    }

    fn value(&self) -> String {
        self.keys.current().0
    }

    fn replace(self: Arc<Self>) -> BoxFuture<'static, ()> {
        async move {
            if let Ok(Err(error)) = blocking(move || self.keys.replace()).await {
                tracing::error!(%error, "the file with the key of the backup still has the former one");
            }
        }
        .boxed()
    }
}
