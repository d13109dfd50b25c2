//! `POST /api/v1/backup_purge`: removes chats and messages from the backup for good.

use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_calls::{BackupFault, BackupPurgeRequest};
use sash_server::api::{ApiError, TokenClient};

/// Removes texts and images from the files and from older versions; tombstones stay.
///
/// # Errors
/// [`BackupFault::Off`] and [`BackupFault::Locked`], and those of the folder.
#[server(prefix = "/api/v1", endpoint = "backup_purge", input = Json, client = TokenClient)]
pub async fn backup_purge(
    #[server(flatten)] request: BackupPurgeRequest,
) -> Result<sash_calls::BackupPurged, ApiError<BackupFault>> {
    let backup = crate::server::backup::opened_with(&request.key)?;
    Ok(backup
        .blocking(move |backup| backup.purge(&request))
        .await?)
}
