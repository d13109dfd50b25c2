//! `POST /api/v1/backup_prompts`: joins prompts and folders with those of the backup.

use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_calls::{BackupFault, BackupPromptsRequest};
use sash_server::api::{ApiError, TokenClient};

/// Joins the prompts and folders of a browser with those of the backup, and returns both.
///
/// # Errors
/// [`BackupFault::Off`] and [`BackupFault::Locked`], and those of the folder.
#[server(prefix = "/api/v1", endpoint = "backup_prompts", input = Json, client = TokenClient)]
pub async fn backup_prompts(
    #[server(flatten)] request: BackupPromptsRequest,
) -> Result<sash_calls::BackupPrompts, ApiError<BackupFault>> {
    let backup = crate::server::backup::opened_with(&request.key)?;
    let joined = backup.blocking(move |backup| backup.prompts(&request));
    Ok(joined.await?)
}
