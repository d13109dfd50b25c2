//! `POST /api/v1/backup_get_image`: reads an image of the backup.

use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_calls::{BackupFault, BackupGetImageRequest, BackupText};
use sash_server::api::{ApiError, TokenClient};

/// Reads an image.
///
/// # Errors
/// [`BackupFault::Off`] and [`BackupFault::Locked`], and those of the folder.
#[server(prefix = "/api/v1", endpoint = "backup_get_image", input = Json, client = TokenClient)]
pub async fn backup_get_image(
    #[server(flatten)] request: BackupGetImageRequest,
) -> Result<BackupText, ApiError<BackupFault>> {
    let backup = crate::server::backup::opened_with(&request.key)?;
    Ok(backup
        .blocking(move |backup| backup.get_image(&request))
        .await?)
}
