//! The edges of the backup: the server's directory, and directories of this device.

use crate::BackupKey;
use crate::call::{
    BackupList, CopyText, FileText, GoneOfChat, News, NewsRequest, PurgeRequest, Purged, Put,
    PutImageRequest, PutRequest, Removed,
};
use crate::files::DirectoryFiles;
use crate::form::CopyId;
use async_trait::async_trait;
use sash_chat::{Id, ImageHash};
use sash_stores::edges::Call;
use std::any::Any;
use std::rc::Rc;

/// What the backup needs of its environment.
pub struct BackupEdges {
    /// The server's directory.
    pub calls: BackupCalls,
    /// Directories of this device.
    pub directories: Rc<dyn DeviceDirectories>,
    /// The name of this browser, for the person: "Firefox (Linux)"; empty if it does not tell what it is.
    pub browser_name: String,
}

/// A request, and the key with which it is sent.
#[derive(Clone, Debug)]
pub struct Keyed<Q> {
    /// The key.
    pub key: BackupKey,
    /// The request.
    pub request: Q,
}

/// What is asked of the server's directory.
#[derive(Clone, Copy)]
pub struct BackupCalls {
    /// What is in it.
    pub list: Call<Keyed<()>, BackupList>,
    /// What is new in it, as soon as something is.
    pub news: Call<Keyed<NewsRequest>, News>,
    /// Writes a copy.
    pub put: Call<Keyed<PutRequest>, Put>,
    /// A copy.
    pub get: Call<Keyed<CopyId>, CopyText>,
    /// Keeps an image.
    pub put_image: Call<Keyed<PutImageRequest>, ()>,
    /// The bytes of an image, in base64.
    pub get_image: Call<Keyed<ImageHash>, FileText>,
    /// What was deleted for good of a chat.
    pub gone: Call<Keyed<Id>, GoneOfChat>,
    /// Deletes for good.
    pub purge: Call<Keyed<PurgeRequest>, Purged>,
    /// Removes the copies of a browser.
    pub remove: Call<Keyed<Id>, Removed>,
}

/// A directory of this device that the person chose in the browser.
#[derive(Clone)]
pub struct DeviceDirectory {
    /// The choice: two directories may have one name.
    pub id: Id,
    /// Its name, without the path: browsers do not tell that.
    pub name: String,
    /// Whether it may be read and written now. After a while the browser wants to ask the person again.
    pub is_allowed: bool,
    /// Its files.
    pub files: Rc<dyn DirectoryFiles>,
    /// What the browser knows it by.
    pub handle: Rc<dyn Any>,
}

/// The browser's database does not open, or cannot be read: nobody knows which directory is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatabaseUnread;

/// Directories of this device for the backup, in browsers that let a person choose one.
#[async_trait(?Send)]
pub trait DeviceDirectories {
    /// Whether the browser lets a person choose one.
    fn exist(&self) -> bool;
    /// Has the person choose one; `None` if they did not. Works only in a click.
    async fn choose(&self) -> Option<DeviceDirectory>;
    /// Remembers a directory instead of another one. Returns whether it is remembered.
    async fn remember(&self, directory: DeviceDirectory) -> bool;
    /// The one that is remembered.
    async fn remembered(&self) -> Result<Option<DeviceDirectory>, DatabaseUnread>;
    /// Whether a directory may be read and written now.
    async fn is_allowed(&self, directory: DeviceDirectory) -> bool;
    /// Has the browser ask the person whether it may. Works only in a click.
    async fn ask(&self, directory: DeviceDirectory) -> bool;
    /// Forgets the one that is remembered. What is in it stays.
    async fn forget(&self);
}
