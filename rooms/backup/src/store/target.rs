//! Where the backup is: the server's directory, or one of this device that the person chose in the browser.

use super::Backup;
use super::edges::{BackupCalls, Keyed};
use super::settings::BackupSettingsStoreFields;
use crate::BackupKey;
use crate::call::{
    BackupList, CopyText, GoneOfChat, PurgeRequest, Purged, Put, PutImageRequest, PutRequest,
    Removed,
};
use crate::directory::{BackupDirectory, HeaderCache};
use crate::files::DirectoryFiles;
use crate::form::CopyId;
use reactive_graph::prelude::*;
use sash_chat::{Id, ImageHash};
use sash_stores::Edges;
use sash_stores::edges::{Call, HeldLock};
use sash_wire::Fault;
use std::cell::Cell;
use std::rc::Rc;

/// Held by the tab that writes into a directory of this device.
const DIRECTORY_LOCK: &str = "sash:backup-folder";
/// How often the lock is tried to be acquired: a browser that refuses locks says at once that they are free.
const MAX_TRIES: usize = 100;

/// Where the backup is.
#[derive(Clone)]
pub(super) enum BackupTarget {
    /// The server's directory.
    Server(BackupCalls, BackupKey),
    /// A directory of this device.
    Device(DeviceTarget),
}

/// A directory of this device.
#[derive(Clone)]
pub(super) struct DeviceTarget {
    edges: Edges,
    files: Rc<dyn DirectoryFiles>,
    key: BackupKey,
    headers: Rc<HeaderCache>,
    /// Whether it was made ready.
    is_open: Rc<Cell<bool>>,
}

impl Backup {
    /// Where the backup is now.
    pub(super) fn target(self) -> BackupTarget {
        let device = self.device.with_value(Clone::clone);
        match device.filter(|_| !self.is_at_server()) {
            Some(device) => BackupTarget::Device(device),
            None => BackupTarget::Server(self.calls.get_value(), self.key()),
        }
    }

    /// Whether the backup is at the server, as far as that is known.
    pub(super) fn is_at_server(self) -> bool {
        let is_offered = self.is_offered.try_get_value().flatten();
        is_offered == Some(true) && !self.key().0.is_empty()
    }

    /// The key that the person gave.
    pub(super) fn key(self) -> BackupKey {
        BackupKey(self.settings.current.backup_key().get_untracked())
    }
}

impl DeviceTarget {
    pub(super) fn new(edges: Edges, files: Rc<dyn DirectoryFiles>, key: BackupKey) -> Self {
        Self {
            edges,
            files,
            key,
            headers: Rc::default(),
            is_open: Rc::default(),
        }
    }

    fn directory(&self) -> BackupDirectory<'_, dyn DirectoryFiles> {
        BackupDirectory::new(&*self.files, &self.key, &self.headers)
    }

    /// Waits until nobody else of this browser writes there, because a write reads what is there first. The first time the
    /// directory is made ready.
    pub(super) async fn hold(&self) -> Result<Option<HeldLock>, Fault> {
        let held = hold_directory(self.edges).await;
        if !self.is_open.get() {
            self.directory().open().await?;
            self.is_open.set(true);
        }
        Ok(held)
    }
}

/// Waits until nobody else of this browser writes into a directory of this device. Where there are no locks, or the browser
/// refuses them, nothing is waited for.
async fn hold_directory(edges: Edges) -> Option<HeldLock> {
    if !edges.with_locks(|locks| locks.exist()) {
        return None;
    }
    for _ in 0..MAX_TRIES {
        let held = edges.with_locks(|locks| locks.try_hold(DIRECTORY_LOCK, Box::new(|| ())));
        if let Some(held) = held.await {
            return Some(held);
        }
        edges
            .with_locks(|locks| locks.wait_until_free(DIRECTORY_LOCK.to_owned()))
            .await;
    }
    None
}

async fn send<Q, R>(call: Call<Keyed<Q>, R>, key: &BackupKey, request: Q) -> Result<R, Fault> {
    let key = key.clone();
    call.send(Keyed { key, request }).await
}

/// What is asked of either. What writes into a directory of this device does so alone.
impl BackupTarget {
    pub(super) async fn list(&self) -> Result<BackupList, Fault> {
        match self {
            Self::Server(calls, key) => send(calls.list, key, ()).await,
            Self::Device(device) => {
                let _alone = device.hold().await?;
                Ok(device.directory().list().await?)
            }
        }
    }

    pub(super) async fn get(&self, of: CopyId) -> Result<CopyText, Fault> {
        match self {
            Self::Server(calls, key) => send(calls.get, key, of).await,
            Self::Device(device) => Ok(device.directory().get(of).await?),
        }
    }

    /// The bytes of an image in base64.
    pub(super) async fn get_image(&self, hash: ImageHash) -> Result<String, Fault> {
        match self {
            Self::Server(calls, key) => Ok(send(calls.get_image, key, hash).await?.text),
            Self::Device(device) => Ok(device.directory().get_image(hash).await?.text),
        }
    }

    pub(super) async fn gone(&self, chat: Id) -> Result<GoneOfChat, Fault> {
        match self {
            Self::Server(calls, key) => send(calls.gone, key, chat).await,
            Self::Device(device) => Ok(device.directory().gone(chat).await?),
        }
    }

    pub(super) async fn put(&self, request: PutRequest) -> Result<Put, Fault> {
        match self {
            Self::Server(calls, key) => send(calls.put, key, request).await,
            Self::Device(device) => {
                let _alone = device.hold().await?;
                Ok(device.directory().put(&request).await?)
            }
        }
    }

    pub(super) async fn put_image(&self, request: PutImageRequest) -> Result<(), Fault> {
        match self {
            Self::Server(calls, key) => send(calls.put_image, key, request).await,
            Self::Device(device) => {
                let _alone = device.hold().await?;
                Ok(device.directory().put_image(&request).await?)
            }
        }
    }

    pub(super) async fn purge(&self, request: PurgeRequest) -> Result<Purged, Fault> {
        match self {
            Self::Server(calls, key) => send(calls.purge, key, request).await,
            Self::Device(device) => {
                let _alone = device.hold().await?;
                Ok(device.directory().purge(&request).await?)
            }
        }
    }

    pub(super) async fn remove_browser(&self, browser: Id) -> Result<Removed, Fault> {
        match self {
            Self::Server(calls, key) => send(calls.remove, key, browser).await,
            Self::Device(device) => {
                let _alone = device.hold().await?;
                Ok(device.directory().remove_browser(browser).await?)
            }
        }
    }
}
