//! The target of the backup: the server's folder, or one of this device that the person chose in the browser.

use super::Backup;
use super::edges::BackupCalls;
use super::settings::BackupSettingsStoreFields;
use reactive_graph::prelude::*;
use sash_backup::{BEAT_LIFETIME, BackupFolder, FolderFiles, ServerLock};
use sash_calls::{
    BackupGetImageRequest, BackupGetRequest, BackupKey, BackupList, BackupListRequest,
    BackupPrompts, BackupPromptsRequest, BackupPurgeRequest, BackupPurged, BackupPut,
    BackupPutImageRequest, BackupPutRequest,
};
use sash_chat::{Id, ImageHash};
use sash_stores::Edges;
use sash_stores::edges::HeldLock;
use sash_wire::Fault;
use std::cell::RefCell;
use std::rc::Rc;

/// Held by the tab that writes into a folder of this device.
const FOLDER_LOCK: &str = "sash:backup-folder";
/// How often the lock is tried to be acquired: a browser that refuses locks says at once that they are free.
const MAX_TRIES: usize = 100;

/// Where the backup is. A request to the server has its key already.
#[derive(Clone)]
pub(crate) enum BackupTarget {
    /// The folder of the server.
    Server(BackupCalls),
    /// A folder of this device.
    Device(DeviceTarget),
}

/// A folder of this device.
#[derive(Clone)]
pub(crate) struct DeviceTarget {
    edges: Edges,
    files: Rc<dyn FolderFiles>,
    /// The lock of a server that was there when it was opened; `None`: it was not yet.
    opened: Rc<RefCell<Option<ServerLock>>>,
}

impl Backup {
    /// Where the backup is now.
    pub(crate) fn target(self) -> BackupTarget {
        let device = self.device.with_value(Clone::clone);
        match device.filter(|_| !self.is_at_server()) {
            Some(device) => BackupTarget::Device(device),
            None => BackupTarget::Server(self.calls.get_value()),
        }
    }

    /// Whether the backup is at the server, as far as that is known.
    #[must_use]
    pub fn is_at_server(self) -> bool {
        let key = self.settings.current.backup_key();
        let is_offered = self.is_offered.try_get_value().flatten();
        is_offered == Some(true) && key.with_untracked(|key| !key.is_empty())
    }
}

impl DeviceTarget {
    pub(super) fn new(edges: Edges, files: Rc<dyn FolderFiles>) -> Self {
        Self {
            edges,
            files,
            opened: Rc::default(),
        }
    }

    fn folder(&self) -> BackupFolder<'_, dyn FolderFiles> {
        BackupFolder::new(&*self.files)
    }

    /// Waits until nobody else of this browser writes there, because a write reads what is there first; refuses a folder in
    /// which a server writes.
    async fn hold(&self) -> Result<Option<HeldLock>, Fault> {
        let held = hold_folder(self.edges).await;
        let opened = self.opened.borrow().clone();
        match opened {
            Some(opened) => self.folder().check_lock(&opened).await?,
            None => self.open_held().await?,
        }
        Ok(held)
    }

    async fn open_held(&self) -> Result<(), Fault> {
        let wait = || self.edges.wait(BEAT_LIFETIME);
        let opened = self.folder().open(wait).await?;
        self.opened.replace(Some(opened));
        Ok(())
    }
}

impl BackupTarget {
    /// A folder of this device, which is to be opened.
    pub(crate) fn device(edges: Edges, files: Rc<dyn FolderFiles>) -> Self {
        Self::Device(DeviceTarget::new(edges, files))
    }

    pub(crate) async fn list(&self, key: BackupKey, writer: Id) -> Result<BackupList, Fault> {
        match self {
            Self::Server(calls) => {
                let request = BackupListRequest { key, writer };
                calls.list.send(request).await
            }
            Self::Device(device) => device.folder().list(writer).await,
        }
    }

    /// The file of a chat.
    pub(crate) async fn get(&self, key: BackupKey, chat: Id) -> Result<String, Fault> {
        match self {
            Self::Server(calls) => {
                let request = BackupGetRequest { key, chat };
                let got = calls.get.send(request);
                got.await.map(|got| got.text)
            }
            Self::Device(device) => device.folder().get(chat).await,
        }
    }

    /// The bytes of an image in base64.
    pub(crate) async fn get_image(&self, key: BackupKey, hash: ImageHash) -> Result<String, Fault> {
        match self {
            Self::Server(calls) => {
                let request = BackupGetImageRequest { key, hash };
                let got = calls.get_image.send(request);
                got.await.map(|got| got.text)
            }
            Self::Device(device) => device.folder().get_image(hash).await,
        }
    }

    pub(crate) async fn put(&self, request: BackupPutRequest) -> Result<BackupPut, Fault> {
        match self {
            Self::Server(calls) => calls.put.send(request).await,
            Self::Device(device) => {
                let _alone = device.hold().await?;
                device.folder().put(&request).await
            }
        }
    }

    pub(crate) async fn put_image(&self, request: BackupPutImageRequest) -> Result<(), Fault> {
        match self {
            Self::Server(calls) => calls.put_image.send(request).await,
            Self::Device(device) => {
                let _alone = device.hold().await?;
                device.folder().put_image(&request).await
            }
        }
    }

    pub(crate) async fn prompts(
        &self,
        request: BackupPromptsRequest,
    ) -> Result<BackupPrompts, Fault> {
        match self {
            Self::Server(calls) => calls.prompts.send(request).await,
            Self::Device(device) => {
                let _alone = device.hold().await?;
                device.folder().prompts(&request).await
            }
        }
    }

    pub(crate) async fn purge(&self, request: BackupPurgeRequest) -> Result<BackupPurged, Fault> {
        match self {
            Self::Server(calls) => calls.purge.send(request).await,
            Self::Device(device) => {
                let _alone = device.hold().await?;
                device.folder().purge(&request).await
            }
        }
    }

    /// Makes a folder of this device ready, before it is read or written.
    ///
    /// # Errors
    /// That it is none for a backup, or that a server writes there.
    pub(crate) async fn open(&self) -> Result<(), Fault> {
        match self {
            Self::Server(_) => Ok(()),
            Self::Device(device) => {
                let _alone = hold_folder(device.edges).await;
                device.open_held().await
            }
        }
    }

    /// Removes older versions of a folder of this device that are too old or too many; a server does so by itself.
    pub(crate) async fn prune(&self) -> Result<(), Fault> {
        match self {
            Self::Server(_) => Ok(()),
            Self::Device(device) => {
                let _alone = device.hold().await?;
                device.folder().prune_versions().await
            }
        }
    }
}

/// Waits until nobody else of this browser writes into a folder of this device. Where there are no locks, or the browser
/// refuses them, nothing is waited for.
async fn hold_folder(edges: Edges) -> Option<HeldLock> {
    if !edges.with_locks(|locks| locks.exist()) {
        return None;
    }
    for _ in 0..MAX_TRIES {
        let held = edges.with_locks(|locks| locks.try_hold(FOLDER_LOCK, Box::new(|| ())));
        if let Some(held) = held.await {
            return Some(held);
        }
        edges
            .with_locks(|locks| locks.wait_until_free(FOLDER_LOCK.to_owned()))
            .await;
    }
    None
}
