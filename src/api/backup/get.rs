//! `POST /api/v1/backup_get`: reads a chat of the backup.

use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_calls::{BackupFault, BackupGetRequest, BackupText};
use sash_server::api::{ApiError, TokenClient};

/// Reads the file of a chat.
///
/// # Errors
/// [`BackupFault::Off`] and [`BackupFault::Locked`], and those of the folder.
#[server(prefix = "/api/v1", endpoint = "backup_get", input = Json, client = TokenClient)]
pub async fn backup_get(
    #[server(flatten)] request: BackupGetRequest,
) -> Result<BackupText, ApiError<BackupFault>> {
    let backup = crate::server::backup::opened_with(&request.key)?;
    Ok(backup.blocking(move |backup| backup.get(&request)).await?)
}
