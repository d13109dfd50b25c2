//! `POST /api/v1/backup_put_image`: keeps an image in the backup.

use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_calls::{BackupFault, BackupPutImageRequest};
use sash_server::api::{ApiError, TokenClient};

/// Keeps an image.
///
/// # Errors
/// [`BackupFault::Off`] and [`BackupFault::Locked`], and those of the folder.
#[server(prefix = "/api/v1", endpoint = "backup_put_image", input = Json, client = TokenClient)]
pub async fn backup_put_image(
    #[server(flatten)] request: BackupPutImageRequest,
) -> Result<(), ApiError<BackupFault>> {
    let backup = crate::server::backup::opened_with(&request.key)?;
    Ok(backup
        .blocking(move |backup| backup.put_image(&request))
        .await?)
}
