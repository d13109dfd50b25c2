//! The server functions of the backup. Each only passes its argument on; who has not the right key comes no further than the
//! header of a request.
//!
//! The errors of all are [`BackupFault::Off`], [`BackupFault::Locked`], and those of the directory.

#![allow(
    missing_docs,
    reason = "the macro makes a struct whose fields repeat the argument"
)]

use crate::BackupFault;
use crate::call::{
    BackupClient, CopyText, FileText, GoneOfChat, News, NewsRequest, PurgeRequest, Purged, Put,
    PutImageRequest, PutRequest, Removed,
};
use crate::form::CopyId;
#[cfg(not(target_arch = "wasm32"))]
use crate::server::{Backup, on_disk};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_chat::{Id, ImageHash};
use sash_server::api::ApiError;

/// Lists what is in the directory.
#[server(prefix = "/api/v1", endpoint = "backup_list", input = Json, client = BackupClient)]
pub async fn backup_list() -> Result<crate::call::BackupList, ApiError<BackupFault>> {
    Ok(on_disk(Backup::list).await?)
}

/// Tells what is new since, as soon as something is; after some time without news it tells none.
#[server(prefix = "/api/v1", endpoint = "backup_news", input = Json, client = BackupClient)]
pub async fn backup_news(
    #[server(flatten)] request: NewsRequest,
) -> Result<News, ApiError<BackupFault>> {
    Ok(crate::server::news(&request).await?)
}

/// Writes a chat as a browser has it. What its copy has and the lines do not stays there.
#[server(prefix = "/api/v1", endpoint = "backup_put", input = Json, client = BackupClient)]
pub async fn backup_put(
    #[server(flatten)] request: PutRequest,
) -> Result<Put, ApiError<BackupFault>> {
    let done =
        on_disk(move |backup| backup.change(request.chat, async |it| it.put(&request).await));
    Ok(done.await?)
}

/// Reads a copy.
#[server(prefix = "/api/v1", endpoint = "backup_get", input = Json, client = BackupClient)]
pub async fn backup_get(#[server(flatten)] of: CopyId) -> Result<CopyText, ApiError<BackupFault>> {
    let done = on_disk(move |backup| backup.read(async |it| it.get(of).await));
    Ok(done.await?)
}

/// Keeps an image.
#[server(prefix = "/api/v1", endpoint = "backup_put_image", input = Json, client = BackupClient)]
pub async fn backup_put_image(
    #[server(flatten)] request: PutImageRequest,
) -> Result<(), ApiError<BackupFault>> {
    let done =
        on_disk(move |backup| backup.change(request.chat, async |it| it.put_image(&request).await));
    Ok(done.await?)
}

/// Reads an image.
#[server(prefix = "/api/v1", endpoint = "backup_get_image", input = Json, client = BackupClient)]
pub async fn backup_get_image(hash: ImageHash) -> Result<FileText, ApiError<BackupFault>> {
    let done = on_disk(move |backup| backup.read(async |it| it.get_image(hash).await));
    Ok(done.await?)
}

/// Tells what was deleted for good of a chat.
#[server(prefix = "/api/v1", endpoint = "backup_gone", input = Json, client = BackupClient)]
pub async fn backup_gone(chat: Id) -> Result<GoneOfChat, ApiError<BackupFault>> {
    let done = on_disk(move |backup| backup.read(async |it| it.gone(chat).await));
    Ok(done.await?)
}

/// Removes messages for good from all files.
#[server(prefix = "/api/v1", endpoint = "backup_purge", input = Json, client = BackupClient)]
pub async fn backup_purge(
    #[server(flatten)] request: PurgeRequest,
) -> Result<Purged, ApiError<BackupFault>> {
    let done =
        on_disk(move |backup| backup.change(request.chat, async |it| it.purge(&request).await));
    Ok(done.await?)
}

/// Removes the copies of a browser that is not used any more.
#[server(prefix = "/api/v1", endpoint = "backup_remove", input = Json, client = BackupClient)]
pub async fn backup_remove(browser: Id) -> Result<Removed, ApiError<BackupFault>> {
    let done = on_disk(move |backup| backup.write(async |it| it.remove_browser(browser).await));
    Ok(done.await?)
}

/// Adds these functions. Without a backup they say that there is none; whoever has not its key is told before the body of the
/// request is read.
#[cfg(not(target_arch = "wasm32"))]
pub fn calls(
    calls: &mut sash_server::calls::Calls,
    backup: Option<std::sync::Arc<crate::server::Backup>>,
) {
    let [news, read, write] = crate::server::rules(calls, backup);
    calls.add::<BackupNews>(news);
    calls.add::<BackupList>(read.clone());
    calls.add::<BackupGet>(read.clone());
    calls.add::<BackupGetImage>(read.clone());
    calls.add::<BackupGone>(read);
    calls.add::<BackupPut>(write.clone());
    calls.add::<BackupPutImage>(write.clone());
    calls.add::<BackupPurge>(write.clone());
    calls.add::<BackupRemove>(write);
}
