//! `POST /api/v1/backup_put`: writes a chat into the backup.

use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_calls::{BackupFault, BackupPutRequest};
use sash_server::api::{ApiError, TokenClient};

/// Writes a chat as it is now. Messages that its file has and the text does not stay there.
///
/// # Errors
/// [`BackupFault::Off`] and [`BackupFault::Locked`], and those of the folder.
#[server(prefix = "/api/v1", endpoint = "backup_put", input = Json, client = TokenClient)]
pub async fn backup_put(
    #[server(flatten)] request: BackupPutRequest,
) -> Result<sash_calls::BackupPut, ApiError<BackupFault>> {
    let backup = crate::server::backup::opened_with(&request.key)?;
    Ok(backup.blocking(move |backup| backup.put(&request)).await?)
}
