//! The edges of the backup: the server's folder, and folders of this device.

use futures::future::LocalBoxFuture;
use sash_backup::FolderFiles;
use sash_calls::{
    BackupGetImageRequest, BackupGetRequest, BackupList, BackupListRequest, BackupNews,
    BackupNewsRequest, BackupPrompts, BackupPromptsRequest, BackupPurgeRequest, BackupPurged,
    BackupPut, BackupPutImageRequest, BackupPutRequest, BackupText,
};
use sash_chat::Id;
use sash_stores::edges::Call;
use std::any::Any;
use std::rc::Rc;

/// What the backup needs of its environment.
pub struct BackupEdges {
    /// The server's folder.
    pub calls: BackupCalls,
    /// Folders of this device.
    pub folders: Rc<dyn Folders>,
}

/// What is asked of the server's folder.
#[derive(Clone, Copy)]
pub struct BackupCalls {
    /// What is in it.
    pub list: Call<BackupListRequest, BackupList>,
    /// What is new in it, as soon as something is.
    pub news: Call<BackupNewsRequest, BackupNews>,
    /// Writes a chat.
    pub put: Call<BackupPutRequest, BackupPut>,
    /// Joins prompts and folders with its own.
    pub prompts: Call<BackupPromptsRequest, BackupPrompts>,
    /// Keeps an image.
    pub put_image: Call<BackupPutImageRequest, ()>,
    /// The file of a chat.
    pub get: Call<BackupGetRequest, BackupText>,
    /// The bytes of an image, in base64.
    pub get_image: Call<BackupGetImageRequest, BackupText>,
    /// Removes chats or messages for good.
    pub purge: Call<BackupPurgeRequest, BackupPurged>,
}

/// A folder of this device that the person chose in the browser.
#[derive(Clone)]
pub struct ChosenFolder {
    /// The choice: two folders may have one name.
    pub id: Id,
    /// Its name, without the path: browsers do not tell that.
    pub name: String,
    /// Whether it may be read and written now. After a while the browser wants to ask the person again.
    pub is_allowed: bool,
    /// Its files.
    pub files: Rc<dyn FolderFiles>,
    /// What the browser knows it by.
    pub handle: Rc<dyn Any>,
}

/// Folders of this device for the backup, in browsers that let a person choose one.
pub trait Folders {
    /// Whether the browser lets a person choose one.
    fn exist(&self) -> bool;
    /// Has the person choose one; `None` if they did not. Works only in a click.
    fn choose(&self) -> LocalBoxFuture<'static, Option<ChosenFolder>>;
    /// Remembers a folder instead of another one. Returns whether it is remembered.
    fn remember(&self, folder: ChosenFolder) -> LocalBoxFuture<'static, bool>;
    /// The one that is remembered.
    fn remembered(&self) -> LocalBoxFuture<'static, Option<ChosenFolder>>;
    /// Whether a folder may be read and written now.
    fn is_allowed(&self, folder: ChosenFolder) -> LocalBoxFuture<'static, bool>;
    /// Has the browser ask the person whether it may. Works only in a click.
    fn ask(&self, folder: ChosenFolder) -> LocalBoxFuture<'static, bool>;
    /// Forgets the one that is remembered. What is in it stays.
    fn forget(&self) -> LocalBoxFuture<'static, ()>;
}
