//! Where the backup is: the server's folder, or one of this device that the person chose in the browser.

use super::Backup;
use crate::edges::{Edges, HeldLock};
use reactive_graph::prelude::*;
use sash_backup::{BackupFolder, FolderFiles};
use sash_chat::{Id, ImageHash};
use sash_wire::{
    BackupGetImageRequest, BackupGetRequest, BackupKey, BackupList, BackupListRequest,
    BackupPrompts, BackupPromptsRequest, BackupPurgeRequest, BackupPurged, BackupPut,
    BackupPutImageRequest, BackupPutRequest, Fault,
};
use std::rc::Rc;

/// Held by the tab that writes into a folder of this device.
const LOCK: &str = "sash:backup-folder";

/// Where the backup is. A request to the server has its key already.
#[derive(Clone)]
pub(crate) enum BackupTarget {
    /// The folder of the server.
    Server(Edges),
    /// A folder of this device.
    Device(Edges, Rc<dyn FolderFiles>),
}

impl Backup {
    /// Where the backup is now.
    pub(crate) fn target(self) -> BackupTarget {
        match self.device_files() {
            Some(files) => BackupTarget::Device(self.edges, files),
            None => BackupTarget::Server(self.edges),
        }
    }

    /// The files of the folder of this device, if the backup is there.
    fn device_files(self) -> Option<Rc<dyn FolderFiles>> {
        if self.is_at_server() {
            return None;
        }
        self.chosen
            .with_untracked(|chosen| Some(Rc::clone(&chosen.as_ref()?.files)))
    }
}

impl BackupTarget {
    pub(crate) async fn list(&self, key: BackupKey, writer: Id) -> Result<BackupList, Fault> {
        match self {
            Self::Server(edges) => {
                let request = BackupListRequest { key, writer };
                edges
                    .with_transport(|server| server.backup_list(request))
                    .await
            }
            Self::Device(_, files) => BackupFolder::new(&**files).list(writer).await,
        }
    }

    /// The file of a chat.
    pub(crate) async fn get(&self, key: BackupKey, chat: Id) -> Result<String, Fault> {
        match self {
            Self::Server(edges) => {
                let request = BackupGetRequest { key, chat };
                let got = edges.with_transport(|server| server.backup_get(request));
                got.await.map(|got| got.text)
            }
            Self::Device(_, files) => BackupFolder::new(&**files).get(chat).await,
        }
    }

    /// The bytes of an image in base64.
    pub(crate) async fn get_image(&self, key: BackupKey, hash: ImageHash) -> Result<String, Fault> {
        match self {
            Self::Server(edges) => {
                let request = BackupGetImageRequest { key, hash };
                let got = edges.with_transport(|server| server.backup_get_image(request));
                got.await.map(|got| got.text)
            }
            Self::Device(_, files) => BackupFolder::new(&**files).get_image(hash).await,
        }
    }

    pub(crate) async fn put(&self, request: BackupPutRequest) -> Result<BackupPut, Fault> {
        match self {
            Self::Server(edges) => {
                edges
                    .with_transport(|server| server.backup_put(request))
                    .await
            }
            Self::Device(edges, files) => {
                let _alone = hold_folder(*edges).await;
                BackupFolder::new(&**files).put(&request).await
            }
        }
    }

    pub(crate) async fn put_image(&self, request: BackupPutImageRequest) -> Result<(), Fault> {
        match self {
            Self::Server(edges) => {
                edges
                    .with_transport(|server| server.backup_put_image(request))
                    .await
            }
            Self::Device(edges, files) => {
                let _alone = hold_folder(*edges).await;
                BackupFolder::new(&**files).put_image(&request).await
            }
        }
    }

    pub(crate) async fn prompts(
        &self,
        request: BackupPromptsRequest,
    ) -> Result<BackupPrompts, Fault> {
        match self {
            Self::Server(edges) => {
                edges
                    .with_transport(|server| server.backup_prompts(request))
                    .await
            }
            Self::Device(edges, files) => {
                let _alone = hold_folder(*edges).await;
                BackupFolder::new(&**files).prompts(&request).await
            }
        }
    }

    pub(crate) async fn purge(&self, request: BackupPurgeRequest) -> Result<BackupPurged, Fault> {
        match self {
            Self::Server(edges) => {
                edges
                    .with_transport(|server| server.backup_purge(request))
                    .await
            }
            Self::Device(edges, files) => {
                let _alone = hold_folder(*edges).await;
                BackupFolder::new(&**files).purge(&request).await
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
            Self::Device(edges, files) => {
                let _alone = hold_folder(*edges).await;
                let folder = BackupFolder::new(&**files);
                folder.open(|| edges.wait(sash_backup::HEARTBEAT)).await?;
                folder.prune_versions().await
            }
        }
    }
}

/// Waits until nobody else of this browser writes there: a write reads what is there first.
async fn hold_folder(edges: Edges) -> Option<HeldLock> {
    while edges.with_locks(|locks| locks.exist()) {
        let held = edges.with_locks(|locks| locks.try_hold(LOCK, Box::new(|| ())));
        if let Some(held) = held.await {
            return Some(held);
        }
        edges
            .with_locks(|locks| locks.wait_until_free(LOCK.to_owned()))
            .await;
    }
    None
}
