//! `POST /api/v1/backup_list`: lists what is in the folder of the backup.

use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_calls::{BackupFault, BackupListRequest};
use sash_server::api::{ApiError, TokenClient};

/// Lists the chats and images in the folder of the backup.
///
/// # Errors
/// [`BackupFault::Off`] and [`BackupFault::Locked`], and those of the folder.
#[server(prefix = "/api/v1", endpoint = "backup_list", input = Json, client = TokenClient)]
pub async fn backup_list(
    #[server(flatten)] request: BackupListRequest,
) -> Result<sash_calls::BackupList, ApiError<BackupFault>> {
    let backup = crate::server::backup::opened_with(&request.key)?;
    Ok(backup.blocking(move |backup| backup.list(&request)).await?)
}
